package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import dev.redlock.spring.annotation.RedLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A bean with the same method in every kind, each once more around another of its kind.
 */
class ScenarioStock {

	private static final String NAMES = "#{#names}";

	private static final String WAIT = "#{#waitFor}";

	@RedLock(resource = NAMES, waitFor = WAIT)
	public String sell(List<String> names, Duration waitFor, Supplier<CompletionStage<String>> work) throws Exception {
		return await(work.get());
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public String sellTwice(List<String> names, Duration waitFor, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) throws Exception {
		return proxy.sell(names, waitFor, work);
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public CompletableFuture<String> sellAsync(List<String> names, Duration waitFor,
			Supplier<CompletionStage<String>> work) {
		return work.get().toCompletableFuture();
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public CompletableFuture<String> sellTwiceAsync(List<String> names, Duration waitFor, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) {
		return proxy.sellAsync(names, waitFor, work);
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public Mono<String> sellMono(List<String> names, Duration waitFor, Supplier<CompletionStage<String>> work) {
		return mono(work);
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public Mono<String> sellTwiceMono(List<String> names, Duration waitFor, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) {
		return proxy.sellMono(names, waitFor, work);
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public Flux<String> sellFlux(List<String> names, Duration waitFor, Supplier<CompletionStage<String>> work) {
		return mono(work).flux();
	}

	@RedLock(resource = NAMES, waitFor = WAIT)
	public Flux<String> sellTwiceFlux(List<String> names, Duration waitFor, ScenarioStock proxy,
			Supplier<CompletionStage<String>> work) {
		return proxy.sellFlux(names, waitFor, work);
	}

	static String await(CompletionStage<String> stage) throws Exception {
		try {
			return stage.toCompletableFuture().get();
		}
		catch (ExecutionException ex) {
			throw (Exception) ex.getCause();
		}
	}

	static Mono<String> mono(Supplier<CompletionStage<String>> work) {
		return Mono.fromFuture(() -> work.get().toCompletableFuture());
	}

}
