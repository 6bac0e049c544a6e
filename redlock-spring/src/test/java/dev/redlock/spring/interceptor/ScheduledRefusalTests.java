package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;

import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Spring's scheduler logs what a method throws with its stack trace, at each call.
 */
class ScheduledRefusalTests {

	private final LockWorld world = new LockWorld();

	@Test
	void aRefusalHasNoStackTraceForTheScheduler() {
		withImporter((importer) -> {
			this.world.loseQuorum();
			Method method = ReflectionUtils.findMethod(importer.getClass(), "run");
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(new ScheduledMethodRunnable(importer, method)::run)
				.withMessageContaining("NO_QUORUM")
				.satisfies((refusal) -> assertThat(refusal.getStackTrace()).isEmpty());
		});
	}

	@Test
	void aRefusalHasItsStackTraceForOtherCallers() {
		withImporter((importer) -> {
			this.world.loseQuorum();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(importer::run)
				.satisfies((refusal) -> assertThat(refusal.getStackTrace()).isNotEmpty());
		});
	}

	private void withImporter(Consumer<Importer> test) {
		LockedContexts.runner(this.world)
			.withBean(Importer.class)
			.run((context) -> test.accept(context.getBean(Importer.class)));
	}

	static class Importer {

		@RedLock(resource = "importer", waitFor = "0")
		public void run() {
		}

	}

}
