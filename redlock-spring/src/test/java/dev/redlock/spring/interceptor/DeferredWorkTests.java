package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.springframework.web.reactive.function.server.ServerResponse.ok;

/**
 * A method whose result is work that runs after the lock is released.
 */
class DeferredWorkTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world);

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			ReturnsCallable                | java.util.concurrent.Callable  | RedLockTemplate inside
			ReturnsRunnable                | java.lang.Runnable             | RedLockTemplate inside
			ReturnsSupplier                | java.util.function.Supplier    | RedLockTemplate inside
			ReturnsOwnStream               | OwnStream                      | Return a List
			ReturnsIterator                | java.util.Iterator             | Return a List
			ReturnsSpliterator             | java.util.Spliterator          | Return a List
			ReturnsDeferredResult          | DeferredResult                 | Return a CompletableFuture
			ReturnsWebAsyncTask            | WebAsyncTask                   | RedLockTemplate inside
			ReturnsStreamingResponseBody   | StreamingResponseBody          | RedLockTemplate inside
			ReturnsResponseBodyEmitter     | ResponseBodyEmitter            | Return a Flux
			ReturnsSseEmitter              | SseEmitter                     | Return a Flux
			ReturnsResponseOfStreamingBody | StreamingResponseBody          | RedLockTemplate inside
			ReturnsResponseOfFlux          | reactor.core.publisher.Flux    | Mono<ResponseEntity<List<
			ReturnsOptionalStream          | java.util.stream.Stream        | Return a List
			ReturnsOptionalFuture          | java.util.concurrent.Future    | CompletableFuture
			ReturnsFutureOfStream          | java.util.stream.Stream        | Return a List
			ReturnsMonoOfIterator          | java.util.Iterator             | Return a List
			SellerOfCallable               | java.util.concurrent.Callable  | RedLockTemplate inside
			""")
	void returnTypeWhoseWorkRunsAfterTheReleaseKeepsTheApplicationFromStarting(String bean, String type, String instead)
			throws ClassNotFoundException {
		Class<?> beanType = ClassUtils.forName(Deferring.class.getName() + "$" + bean, getClass().getClassLoader());
		this.runner.withBean(beanType).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidRedLockException.class, (failure) -> {
					assertThat(failure.description()).contains(".sell()", "return type", type,
							"after the lock is released");
					assertThat(failure.action()).contains(instead);
				});
		});
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("undeclared")
	void valueWhoseWorkRunsAfterTheReleaseIsNotReturnedSilently(String name,
			Function<Deferring.Undeclared, Object> call, String type) {
		this.runner.withBean(Deferring.Undeclared.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Deferring.Undeclared bean = context.getBean(Deferring.Undeclared.class);
			assertThatIllegalStateException().isThrownBy(() -> call.apply(bean))
				.withMessageContaining(Deferring.Undeclared.class.getName() + ".")
				.withMessageContaining(type);
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	static Stream<Arguments> undeclared() {
		Callable<String> callable = () -> "sold";
		return Stream.of(undeclared("Object", (bean) -> bean.any(callable), "Callable"),
				undeclared("T", (bean) -> bean.generic(List.of().iterator()), "Iterator"),
				undeclared("AutoCloseable", (bean) -> bean.closeable(Stream.of("sold")), "Stream"),
				undeclared("Optional<?>", (bean) -> bean.optional(callable), "Callable"),
				undeclared("ResponseEntity<?>", (bean) -> bean.response(Stream.of("sold")), "Stream"),
				undeclared("ServerResponse", (bean) -> bean.route(ServerResponse.async(new CompletableFuture<>())),
						"AsyncServerResponse"),
				undeclared("ServerResponse with events", (bean) -> bean.route(ServerResponse.sse((events) -> {
				})), "SseServerResponse"),
				undeclared("ServerResponse with a stream", (bean) -> bean.route(ServerResponse.ok().stream((stream) -> {
				})), "StreamingServerResponse"),
				undeclared("ServerResponse of a future",
						(bean) -> bean.route(ServerResponse.ok().body(new CompletableFuture<>())), "future"),
				undeclared("ServerResponse of a publisher",
						(bean) -> bean.route(ServerResponse.ok().body(Mono.just("sold"))), "publisher"),
				undeclared("Mono<ServerResponse> of a publisher",
						(bean) -> bean.handle(ok().body(Mono.just("sold"), String.class)).block(), "publisher"),
				undeclared("CompletableFuture<?>", (bean) -> Mono.fromFuture(bean.later(callable)).block(), "Callable"),
				undeclared("Mono<?>", (bean) -> bean.mono(callable).block(), "Callable"),
				undeclared("ResponseEntity<?> of a publisher", (bean) -> bean.response(Mono.just("sold")), "publisher"),
				undeclared("Optional<?> of a future", (bean) -> bean.optional(new FutureTask<>(callable)), "future"));
	}

	private static Arguments undeclared(String name, Function<Deferring.Undeclared, Object> call, String type) {
		return arguments(name, call, type);
	}

	@Test
	void valuesThatAreThereWhenTheMethodReturnsAreReturned() {
		this.runner.withBean(Deferring.Undeclared.class).withBean(Deferring.Harmless.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Deferring.Undeclared bean = context.getBean(Deferring.Undeclared.class);
			assertThat(bean.any("sold")).isEqualTo("sold");
			// Such a stage throws if it is asked like a future.
			assertThat(bean.any(CompletableFuture.completedStage("sold"))).isNotNull();
			assertThat(bean.later(CompletableFuture.completedStage("sold"))).succeedsWithin(Duration.ofMinutes(1));
			assertThat(bean.any(CompletableFuture.completedFuture("sold"))).isInstanceOf(CompletableFuture.class);
			assertThat(bean.optional(List.of("sold"))).isEqualTo(Optional.of(List.of("sold")));
			assertThat(bean.response("sold").getBody()).isEqualTo("sold");
			assertThat(bean.route(ServerResponse.ok().body("sold")).statusCode().value()).isEqualTo(200);
			assertThat(bean.handle(ok().bodyValue("sold")).block()).isNotNull();
			Deferring.Harmless harmless = context.getBean(Deferring.Harmless.class);
			assertThat(harmless.page()).containsExactly("sold");
			assertThat(bean.any(harmless.page())).isEqualTo(harmless.page());
			assertThat(harmless.optional()).contains("sold");
			assertThat(harmless.response().getBody()).containsExactly("sold");
			assertThat(harmless.iterable()).containsExactly("sold");
		});
	}

}
