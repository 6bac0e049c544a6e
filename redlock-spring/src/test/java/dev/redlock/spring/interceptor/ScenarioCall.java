package dev.redlock.spring.interceptor;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * A call that is under way.
 *
 * @param outcome completes with how it ended
 * @param cancel how its caller gives up
 */
record ScenarioCall(CompletableFuture<String> outcome, Runnable cancel) {

	static ScenarioCall blocking(Callable<String> call) {
		CompletableFuture<String> outcome = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				outcome.complete(call.call());
			}
			catch (Throwable ex) {
				outcome.completeExceptionally(ex);
			}
		}, "caller");
		thread.setDaemon(true);
		thread.start();
		return new ScenarioCall(outcome, thread::interrupt);
	}

	static ScenarioCall future(CompletableFuture<String> call) {
		return new ScenarioCall(call, () -> call.cancel(true));
	}

	/**
	 * A call that waits on its own thread, and then returns a future.
	 */
	static ScenarioCall held(Supplier<CompletableFuture<String>> call) {
		CompletableFuture<String> outcome = new CompletableFuture<>();
		AtomicReference<CompletableFuture<String>> returned = new AtomicReference<>();
		Thread thread = new Thread(() -> {
			CompletableFuture<String> future = call.get();
			returned.set(future);
			future.whenComplete((value, failure) -> {
				if (failure != null) {
					outcome.completeExceptionally(failure);
				}
				else {
					outcome.complete(value);
				}
			});
		}, "caller");
		thread.setDaemon(true);
		thread.start();
		return new ScenarioCall(outcome, () -> {
			Awaitility.await().until(() -> returned.get() != null || thread.getState() == Thread.State.TIMED_WAITING);
			if (returned.get() != null) {
				returned.get().cancel(true);
			}
			else {
				thread.interrupt();
			}
		});
	}

	static ScenarioCall publisher(Publisher<String> call) {
		CompletableFuture<String> outcome = new CompletableFuture<>();
		Disposable subscription = Flux.from(call)
			.collectList()
			.subscribe((values) -> outcome.complete(values.get(0)), outcome::completeExceptionally);
		return new ScenarioCall(outcome, () -> {
			subscription.dispose();
			outcome.cancel(true);
		});
	}

}
