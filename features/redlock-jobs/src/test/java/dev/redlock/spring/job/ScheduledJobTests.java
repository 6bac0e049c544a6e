package dev.redlock.spring.job;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The same job on two hosts whose timers fire all the time, while the time of the lock
 * stands still.
 */
class ScheduledJobTests {

	private static final int SEVERAL = 5;

	private final LockWorld world = new LockWorld();

	private final Queue<String> runs = new ConcurrentLinkedQueue<>();

	private final Host one = new Host("one", this.world.redlock);

	private final Host two = new Host("two", this.world.other);

	@AfterEach
	void stop() {
		this.one.context.close();
		this.two.context.close();
	}

	@Test
	void oneHostRunsTheJobAndTheOtherSkipsIt() {
		start();
		awaitTicks();
		assertThat(this.runs).hasSize(1);
	}

	@Test
	void hostWhoseClockIsBehindFindsTheJobTakenUntilAtLeastIsOver() {
		start();
		awaitTicks();
		this.world.time.advance(Duration.ofSeconds(19));
		awaitTicks();
		assertThat(this.runs).hasSize(1);
		this.world.time.advance(Duration.ofSeconds(2));
		awaitTicks();
		assertThat(this.runs).hasSize(2);
	}

	@Test
	void otherHostTakesTheJobOverWhenTheFirstIsGone() {
		this.one.start();
		await().until(() -> this.runs.size() == 1);
		// The job shares its thread with the ticks, so it has let go by then.
		awaitTicks(this.one);
		this.one.context.close();
		this.two.start();
		this.world.time.advance(Duration.ofSeconds(21));
		await().until(() -> this.runs.size() == 2);
		assertThat(this.runs).containsExactly("one", "two");
	}

	private void start() {
		this.one.start();
		this.two.start();
	}

	private void awaitTicks() {
		awaitTicks(this.one);
		awaitTicks(this.two);
	}

	private static void awaitTicks(Host host) {
		int ticks = host.ticks.get() + SEVERAL;
		await().atMost(Duration.ofSeconds(20)).until(() -> host.ticks.get() >= ticks);
	}

	private final class Host {

		private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

		private final AtomicInteger ticks = new AtomicInteger();

		private Host(String name, Redlock redlock) {
			this.context.registerBean(Redlock.class, () -> redlock,
					(definition) -> definition.setDestroyMethodName(""));
			this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(redlock, Runnable::run));
			this.context.registerBean("ticks", Ticks.class, () -> new Ticks(this.ticks));
			this.context.registerBean(NightRun.class, () -> new NightRun(name, ScheduledJobTests.this.runs));
			this.context.register(RedlockAnnotationAutoConfiguration.class, RedlockJobAutoConfiguration.class,
					Scheduling.class);
		}

		private void start() {
			this.context.refresh();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Ticks {

		private final AtomicInteger count;

		Ticks(AtomicInteger count) {
			this.count = count;
		}

		public boolean count() {
			return this.count.incrementAndGet() > 0;
		}

	}

	static class NightRun {

		private final String host;

		private final Queue<String> runs;

		NightRun(String host, Queue<String> runs) {
			this.host = host;
			this.runs = runs;
		}

		@Scheduled(fixedDelay = 2, timeUnit = TimeUnit.MILLISECONDS)
		@RedLock(resource = "night-run", ttl = "30s", waitFor = "0", atLeast = "20s", onFailure = OnFailure.SKIP,
				condition = "@ticks.count()")
		public void run() {
			this.runs.add(this.host);
		}

	}

}
