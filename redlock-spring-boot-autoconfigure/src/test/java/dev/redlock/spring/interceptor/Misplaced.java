package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import dev.redlock.spring.annotation.RedLock;
import reactor.core.publisher.Mono;

/**
 * Beans that must not start, since the annotation is where it could not lock.
 */
final class Misplaced {

	private Misplaced() {
	}

	static class PrivateMethod {

		@RedLock("x")
		private void sell(String sku) {
		}

	}

	static class StaticMethod {

		@RedLock("x")
		public static void sell(String sku) {
		}

	}

	static class FinalMethod {

		@RedLock("x")
		public final void sell(String sku) {
		}

	}

	@RedLock("x")
	static class FinalMethodOfType {

		public final void sell(String sku) {
		}

	}

	static final class FinalClass {

		@RedLock("x")
		public void sell(String sku) {
		}

	}

	record Record() {

		@RedLock("x")
		public void sell(String sku) {
		}

	}

	static class Reactive {

		@RedLock("x")
		public Mono<String> sell(String sku) {
			return Mono.just(sku);
		}

	}

	static class PlainFuture {

		@RedLock("x")
		public Future<String> sell(String sku) {
			return CompletableFuture.completedFuture(sku);
		}

	}

	static class NotOnTheInterface implements Supplier<List<String>> {

		@Override
		public List<String> get() {
			return List.of();
		}

		@RedLock("x")
		public void sell(String sku) {
		}

	}

}
