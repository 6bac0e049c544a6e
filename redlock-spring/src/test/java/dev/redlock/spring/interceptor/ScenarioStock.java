package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.ReactiveCurrentLease;
import reactor.core.publisher.Mono;

/**
 * A bean with the same method in every kind. It calls itself for the names of each inner
 * call, and the innermost call does the work.
 */
class ScenarioStock {

	private static final String NAMES = "#{#names[0]}";

	private static final String WAIT = "${wait}";

	@RedLock(resource = NAMES, waitFor = WAIT)
	public String sell(List<List<String>> names, ScenarioStock proxy, Supplier<CompletionStage<String>> work)
			throws Exception {
		return (names.size() > 1) ? proxy.sell(inner(names), proxy, work) : await(work.get());
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public CompletableFuture<String> sellAsync(List<List<String>> names, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) {
		return (names.size() > 1) ? proxy.sellAsync(inner(names), proxy, work) : work.get().toCompletableFuture();
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public Mono<String> sellMono(List<List<String>> names, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) {
		return (names.size() > 1) ? proxy.sellMono(inner(names), proxy, work) : mono(work);
	}

	static <T> List<T> inner(List<T> calls) {
		return calls.subList(1, calls.size());
	}

	static String await(CompletionStage<String> stage) throws Exception {
		try {
			return stage.toCompletableFuture().get();
		}
		catch (ExecutionException ex) {
			throw (Exception) ex.getCause();
		}
	}

	/**
	 * Starts the work with the lease of its flow as that of the thread, so that work of
	 * every kind asks for its lease in the same way.
	 */
	static Mono<String> mono(Supplier<CompletionStage<String>> work) {
		return Mono.deferContextual((context) -> {
			CurrentLease scope = CurrentLease.open(ReactiveCurrentLease.find(context).orElseThrow());
			try {
				return Mono.fromFuture(work.get().toCompletableFuture());
			}
			finally {
				scope.close();
			}
		});
	}

}
