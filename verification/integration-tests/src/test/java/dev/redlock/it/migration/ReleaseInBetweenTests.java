package dev.redlock.it.migration;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.spring.shedlock.ChangeOverLockProvider;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.EmbeddedRedlock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The second step of the guide from ShedLock, as an application has it.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@EmbeddedRedlock(nodes = 3)
class ReleaseInBetweenTests {

	@Test
	void aTaskTakesTheFormerLockAndThisOne(@Autowired LockProvider provider, @Autowired RedLockOperations template) {
		assertThat(provider).isInstanceOf(ChangeOverLockProvider.class);
		SimpleLock running = provider.lock(task()).orElseThrow();
		assertThat(template.tryAcquire(LockRequest.of("report").withWaitFor(Duration.ZERO))).isEmpty();
		assertThat(provider.lock(task())).isEmpty();
		running.unlock();
		SimpleLock again = provider.lock(task()).orElseThrow();
		again.unlock();
	}

	private static LockConfiguration task() {
		return new LockConfiguration(ClockProvider.now(), "report", Duration.ofHours(2), Duration.ZERO);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ReleaseInBetween.class)
	static class Application {

	}

}
