package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class AsyncOrderTests {

	private final LockWorld world = new LockWorld();

	@Test
	void workOfAnAsyncMethodIsLockedWhateverTheOrderOfAsync(CapturedOutput output) {
		LockedContexts.runner(this.world)
			.withUserConfiguration(AsyncFirst.class)
			.withBean(Jobs.class, () -> new Jobs(this.world))
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				jobs.run();
				assertThat(jobs.locked().get(10, TimeUnit.SECONDS)).isTrue();
				assertThat(output).contains("'" + context.getBeanNamesForType(Jobs.class)[0] + "'", "around its @Async",
						"put where it belongs", "leave its order out");
			});
	}

	@Test
	void thatGoesForBeansThatAreMadeAfterTheStartToo() {
		LockedContexts.runner(this.world)
			.withUserConfiguration(AsyncFirst.class)
			.withBean(Jobs.class, () -> new Jobs(this.world), (definition) -> definition.setScope("prototype"))
			.run((context) -> {
				Jobs jobs = context.getBean(Jobs.class);
				jobs.run();
				assertThat(jobs.locked().get(10, TimeUnit.SECONDS)).isTrue();
			});
	}

	static class Jobs {

		private final CompletableFuture<Boolean> locked = new CompletableFuture<>();

		private final LockWorld world;

		Jobs(LockWorld world) {
			this.world = world;
		}

		@Async
		@RedLock("job")
		public void run() {
			this.locked.complete(this.world.isHeld("job"));
		}

		public CompletableFuture<Boolean> locked() {
			return this.locked;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(order = 0)
	static class AsyncFirst {

		@Bean
		SimpleAsyncTaskExecutor taskExecutor() {
			return new SimpleAsyncTaskExecutor("job-");
		}

	}

}
