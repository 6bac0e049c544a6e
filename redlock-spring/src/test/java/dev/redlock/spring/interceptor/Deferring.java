package dev.redlock.spring.interceptor;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.spring.annotation.RedLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

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

	static class ReturnsRunnable {

		@RedLock("x")
		public Runnable sell() {
			return () -> {
			};
		}

	}

	static class ReturnsSupplier {

		@RedLock("x")
		public Supplier<String> sell() {
			return () -> "sold";
		}

	}

	static class ReturnsStream {

		@RedLock("x")
		public Stream<String> sell() {
			return Stream.of("sold");
		}

	}

	static class ReturnsOwnStream {

		@RedLock("x")
		public OwnStream sell() {
			throw new AssertionError();
		}

	}

	interface OwnStream extends Stream<String> {

	}

	static class ReturnsIterator {

		@RedLock("x")
		public Iterator<String> sell() {
			return List.of("sold").iterator();
		}

	}

	static class ReturnsDeferredResult {

		@RedLock("x")
		public DeferredResult<String> sell() {
			return new DeferredResult<>();
		}

	}

	static class ReturnsWebAsyncTask {

		@RedLock("x")
		public WebAsyncTask<String> sell() {
			return new WebAsyncTask<>(() -> "sold");
		}

	}

	static class ReturnsStreamingResponseBody {

		@RedLock("x")
		public StreamingResponseBody sell() {
			return (body) -> {
			};
		}

	}

	static class ReturnsSseEmitter {

		@RedLock("x")
		public SseEmitter sell() {
			return new SseEmitter();
		}

	}

	static class ReturnsResponseOfStreamingBody {

		@RedLock("x")
		public ResponseEntity<StreamingResponseBody> sell() {
			return ResponseEntity.ok((body) -> {
			});
		}

	}

	static class ReturnsResponseOfFlux {

		@RedLock("x")
		public ResponseEntity<Flux<String>> sell() {
			return ResponseEntity.ok(Flux.just("sold"));
		}

	}

	static class ReturnsOptionalFuture {

		@RedLock("x")
		public Optional<Future<String>> sell() {
			return Optional.empty();
		}

	}

	static class ReturnsFutureOfStream {

		@RedLock("x")
		public CompletableFuture<Stream<String>> sell() {
			return CompletableFuture.completedFuture(Stream.of("sold"));
		}

	}

	static class ReturnsMonoOfIterator {

		@RedLock("x")
		public Mono<Iterator<String>> sell() {
			return Mono.just(List.of("sold").iterator());
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

	static class ReturnsServerResponse {

		@RedLock("x")
		public ServerResponse sell() {
			return ServerResponse.ok().build();
		}

	}

	static class ReturnsReactiveServerResponse {

		@RedLock("x")
		public Mono<org.springframework.web.reactive.function.server.ServerResponse> sell() {
			return org.springframework.web.reactive.function.server.ServerResponse.ok().build();
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

		@RedLock("x")
		public Iterable<String> iterable() {
			return List.of("sold");
		}

	}

}
