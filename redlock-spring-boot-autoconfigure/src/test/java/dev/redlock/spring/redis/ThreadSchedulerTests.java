package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.spi.Scheduler.Timeout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ThreadSchedulerTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final int THREADS = 4;

	private static final int TIMERS = 20_000;

	private final ThreadScheduler scheduler = new ThreadScheduler("test-wheel");

	@AfterEach
	void tearDown() {
		this.scheduler.close();
	}

	@Test
	void aTaskThatFailsIsLoggedAndTheNextOneRuns(CapturedOutput output) throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		this.scheduler.schedule(Duration.ZERO, () -> {
			throw new IllegalStateException("on purpose");
		});
		this.scheduler.schedule(Duration.ZERO, () -> {
			throw new AssertionError("on purpose too");
		});
		this.scheduler.schedule(Duration.ofMillis(1), ran::countDown);
		assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(output).contains("on purpose").contains("on purpose too");
	}

	@Test
	void theThreadSleepsWithoutEndWhileNothingIsToBeDone() {
		awaitState(Thread.State.WAITING);
		Timeout timer = this.scheduler.schedule(LONG, () -> {
		});
		awaitState(Thread.State.TIMED_WAITING);
		timer.cancel();
		assertThat(this.scheduler.pending()).isZero();
		assertThat(this.scheduler.thread().isDaemon()).isTrue();
	}

	@Test
	void aNearTimerWakesTheThreadThatSleepsForAFarOne() throws InterruptedException {
		this.scheduler.schedule(LONG, () -> {
		});
		awaitState(Thread.State.TIMED_WAITING);
		CountDownLatch ran = new CountDownLatch(1);
		this.scheduler.schedule(Duration.ofMillis(2), ran::countDown);
		assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void afterItWasClosedNothingRuns() throws InterruptedException {
		AtomicInteger ran = new AtomicInteger();
		this.scheduler.schedule(Duration.ofMillis(200), ran::incrementAndGet);
		this.scheduler.close();
		this.scheduler.schedule(Duration.ZERO, ran::incrementAndGet);
		this.scheduler.thread().join(10_000);
		assertThat(this.scheduler.thread().isAlive()).isFalse();
		assertThat(ran).hasValue(0);
	}

	@Test
	void timersOfManyThreadsAllRunOnceAndNotBeforeTheirTimeUnlessCancelled() throws InterruptedException {
		AtomicInteger expected = new AtomicInteger();
		AtomicInteger ran = new AtomicInteger();
		AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);
		Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
		List<Thread> threads = new ArrayList<>();
		for (int t = 0; t < THREADS; t++) {
			SplittableRandom random = new SplittableRandom(t);
			Thread thread = new Thread(() -> {
				for (int i = 0; i < TIMERS; i++) {
					long delay = random.nextLong(TimeUnit.MILLISECONDS.toNanos(300));
					long due = System.nanoTime() + delay;
					if (random.nextBoolean()) {
						this.scheduler.schedule(LONG.plusNanos(delay), () -> failures.add(new AssertionError()))
							.cancel();
					}
					else {
						expected.incrementAndGet();
						this.scheduler.schedule(Duration.ofNanos(delay), () -> {
							ran.incrementAndGet();
							earliest.accumulateAndGet(System.nanoTime() - due, Math::min);
						});
					}
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join(60_000);
		}
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> this.scheduler.pending() == 0);
		Awaitility.await().atMost(Duration.ofSeconds(20)).untilAtomic(ran, org.hamcrest.Matchers.is(expected.get()));
		assertThat(failures).isEmpty();
		assertThat(earliest.get()).isGreaterThanOrEqualTo(-TimerWheel.EARLIEST_NANOS);
	}

	private void awaitState(Thread.State state) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.pollInterval(Duration.ofMillis(1))
			.until(() -> this.scheduler.thread().getState() == state);
	}

}
