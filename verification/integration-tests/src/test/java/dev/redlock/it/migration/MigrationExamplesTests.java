package dev.redlock.it.migration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.test.EmbeddedRedlock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of the migration guides do what the guides say.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@EmbeddedRedlock(nodes = 3)
class MigrationExamplesTests {

	@Autowired
	private RedlockLocks locks;

	@Autowired
	private LockProvider provider;

	@Test
	void fromShedLockByItsProvider(@Autowired NightJobs jobs) {
		SimpleLock elsewhere = this.provider.lock(task("night-run")).orElseThrow();
		jobs.nightRun();
		assertThat(jobs.runs()).isZero();
		elsewhere.unlock();
		jobs.nightRun();
		jobs.nightRun();
		assertThat(jobs.runs()).as("kept for 30 s").isOne();
	}

	@Test
	void aLeaderInitiatorOfSpringIntegrationWorksUnchanged(@Autowired LockRegistryLeaderInitiator leader) {
		Awaitility.await().until(() -> leader.getContext().isLeader());
	}

	@Test
	void theReleaseInBetweenExcludesWhoHasOneLockOfTheTwo() throws Exception {
		ReentrantLock former = new ReentrantLock();
		BothLocks both = new BothLocks(former, this.locks.get("report"));
		assertThat(both.call(() -> elsewhere(former::tryLock))).as("the release before").isFalse();
		assertThat(both.call(() -> elsewhere(this.locks.get("report")::tryLock))).as("the release after").isFalse();
		assertThat(former.isLocked()).isFalse();
		assertThat(this.locks.get("report").tryLock()).isTrue();
		this.locks.get("report").unlock();
	}

	private static boolean elsewhere(Supplier<Boolean> attempt) {
		return CompletableFuture.supplyAsync(attempt).orTimeout(20, TimeUnit.SECONDS).join();
	}

	private static LockConfiguration task(String name) {
		return new LockConfiguration(ClockProvider.now(), name, Duration.ofHours(2), Duration.ZERO);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	@Import(NightJobs.class)
	static class Application {

		@Bean
		LockRegistryLeaderInitiator leader(LockRegistry<?> registry) {
			return new LockRegistryLeaderInitiator(registry, new DefaultCandidate("this instance", "importer"));
		}

	}

	static class NightJobs {

		private int runs;

		@Scheduled(cron = "0 0 3 * * *")
		@SchedulerLock(name = "night-run", lockAtMostFor = "2h", lockAtLeastFor = "30s")
		public void nightRun() {
			this.runs++;
		}

		public int runs() {
			return this.runs;
		}

	}

}
