package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.web.reactive.function.server.ServerResponse.ok;

/**
 * A method whose result is work that runs after the lock is released.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeferredWorkTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world);

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			ReturnsCallable | java.util.concurrent.Callable | RedLockTemplate
			ReturnsResponseOfFlux | reactor.core.publisher.Flux | Call the locked method inside
			SellerOfCallable | java.util.concurrent.Callable | RedLockTemplate
			""")
	void returnTypeWhoseWorkRunsAfterTheReleaseKeepsTheApplicationFromStarting(String bean, String type, String instead)
			throws ClassNotFoundException {
		Class<?> beanType = ClassUtils.forName(Deferring.class.getName() + "$" + bean, getClass().getClassLoader());
		this.runner.withBean(beanType).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidRedLockException.class, (failure) -> {
					assertThat(failure.description()).contains(".sell()", "return type", type,
							"the lock is already released");
					assertThat(failure.action()).contains(instead);
				});
		});
	}

	@ParameterizedTest
	@MethodSource("unfinished")
	void unfinishedValueBehindAnUndeclaredTypeIsWarnedOfOnce(Object value, CapturedOutput output) {
		this.runner.withBean(Deferring.Undeclared.class).run((context) -> {
			Deferring.Undeclared bean = context.getBean(Deferring.Undeclared.class);
			assertThat(bean.any(value)).isSameAs(value);
			assertThat(bean.any(value)).isSameAs(value);
			String warning = "Undeclared.any(Object) returned a " + value.getClass().getName()
					+ ", whose work goes on after the lock is released";
			assertThat(output).containsOnlyOnce(warning);
			assertThat(bean.response(value).getBody()).isSameAs(value);
			assertThat(output).containsOnlyOnce(warning.replace("any(", "response("));
		});
	}

	static Stream<Object> unfinished() {
		Callable<String> callable = () -> "sold";
		return Stream.of(callable, Stream.of("sold"), new CompletableFuture<>(), new FutureTask<>(callable),
				Mono.just("sold"), ServerResponse.ok().build());
	}

	@Test
	void valuesThatAreThereWhenTheMethodReturnsAreNotWarnedOf(CapturedOutput output) {
		this.runner.withBean(Deferring.Undeclared.class).withBean(Deferring.Harmless.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Deferring.Undeclared bean = context.getBean(Deferring.Undeclared.class);
			// Such a stage throws if it is asked like a future.
			Stream
				.of("sold", CompletableFuture.completedStage("sold"), CompletableFuture.completedFuture("sold"),
						context.getBean(Deferring.Harmless.class).page(), List.of("sold"))
				.forEach((value) -> {
					assertThat(bean.any(value)).isSameAs(value);
					assertThat(bean.response(value).getBody()).isSameAs(value);
				});
			assertThat(output).doesNotContain("after the lock is released");
		});
	}

}
