package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockRequest;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code @Async} and {@code @RedLock} on one method that returns a future, with the
 * executor that Spring Boot configures by default. Functions of the template run on this
 * executor too.
 */
class AsyncMethodsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RedlockAutoConfiguration.class,
				RedlockAnnotationAutoConfiguration.class))
		.withUserConfiguration(WithAsync.class)
		.withBean(LockNodes.class, () -> LockNodes.of(List.of(new InMemoryNode("a", Ticker.SYSTEM))))
		.withBean(Shop.class);

	@Test
	void asynchronousMethodsThatReturnFuturesEndAlsoIfThereAreMoreCallsThanThreads() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			List<CompletableFuture<String>> calls = new ArrayList<>();
			for (int i = 0; i < 100; i++) {
				calls.add(shop.sell("sku" + i));
			}
			assertThat(CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)))
				.succeedsWithin(Duration.ofSeconds(20));
		});
	}

	@Test
	void aFunctionOfTheTemplateRunsInTheContextOfItsCaller() {
		this.runner.withBean(TaskDecorator.class, () -> AsyncMethodsTests::withMdc).run((context) -> {
			RedLockOperations template = context.getBean(RedLockOperations.class);
			LockRequest request = LockRequest.of("stock:42");
			MDC.put("order", "7");
			try {
				assertThat(template.executeAsync(request, (lease) -> completedFuture(MDC.get("order"))))
					.succeedsWithin(Duration.ofSeconds(20))
					.isEqualTo("7");
			}
			finally {
				MDC.clear();
			}
			assertThat(template.executeAsync(request, (lease) -> completedFuture(MDC.get("order"))))
				.succeedsWithin(Duration.ofSeconds(20))
				.isNull();
		});
	}

	private static Runnable withMdc(Runnable task) {
		String order = MDC.get("order");
		return () -> {
			MDC.put("order", order);
			try {
				task.run();
			}
			finally {
				MDC.clear();
			}
		};
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class WithAsync {

	}

	static class Shop {

		@Async
		@RedLock("stock:#{#sku}")
		public CompletableFuture<String> sell(String sku) {
			return completedFuture("sold " + sku);
		}

	}

}
