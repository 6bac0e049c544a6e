package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.redlock.spring.annotation.RedLock;
import reactor.core.publisher.Flux;

import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.http.ResponseEntity;

/**
 * Beans whose locked methods return work that runs after they have returned.
 */
final class Deferring {

	private Deferring() {
	}

	static class ReturnsCallable {

		@RedLock("x")
		public Callable<String> sell() {
			return () -> "sold";
		}

	}

	static class ReturnsResponseOfFlux {

		@RedLock("x")
		public ResponseEntity<Flux<String>> sell() {
			return ResponseEntity.ok(Flux.just("sold"));
		}

	}

	static class Seller<T> {

		private final T answer;

		Seller(T answer) {
			this.answer = answer;
		}

		@RedLock("x")
		public T sell() {
			return this.answer;
		}

	}

	static class SellerOfCallable extends Seller<Callable<String>> {

		SellerOfCallable() {
			super(() -> "sold");
		}

	}

	/**
	 * Its return types do not say what the values are.
	 */
	static class Undeclared {

		@RedLock("x")
		public Object any(Object answer) {
			return answer;
		}

		@RedLock("x")
		public ResponseEntity<?> response(Object answer) {
			return ResponseEntity.ok(answer);
		}

	}

	/**
	 * Its return types look like deferred work and are none.
	 */
	static class Harmless {

		@RedLock("x")
		public Page<String> page() {
			return new PageImpl<>(List.of("sold"));
		}

		@RedLock("x")
		public Optional<String> optional() {
			return Optional.of("sold");
		}

		@RedLock("x")
		public ResponseEntity<List<String>> response() {
			return ResponseEntity.ok(List.of("sold"));
		}

	}

}
