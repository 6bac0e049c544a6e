package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class NettyLoopTests {

	private static final Duration LONG = Duration.ofHours(1);

	@AutoClose
	private final NettyLoop loop = new NettyLoop("test-loop");

	@Test
	void aTimerOrAnEventThatFailsIsLoggedAndTheLoopGoesOn(CapturedOutput output) throws InterruptedException {
		CountDownLatch ran = new CountDownLatch(1);
		this.loop.schedule(Duration.ZERO, () -> {
			throw new IllegalStateException("on purpose");
		});
		this.loop.schedule(Duration.ZERO, () -> {
			throw new AssertionError("on purpose too");
		});
		this.loop.execute(() -> {
			throw new AssertionError("of an event");
		});
		settle();
		this.loop.schedule(Duration.ofMillis(1), ran::countDown);
		assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(output).contains("on purpose").contains("on purpose too").contains("of an event");
	}

	@Test
	void aLoopThatStandsStillSaysForHowLong(CapturedOutput output) {
		Duration still = Duration.ofMillis(1_100);
		CountDownLatch late = new CountDownLatch(1);
		AtomicLong lag = new AtomicLong();
		this.loop.onLag(lag::set);
		this.loop.execute(() -> {
			this.loop.schedule(Duration.ZERO, late::countDown);
			long end = System.nanoTime() + still.toNanos();
			while (System.nanoTime() < end) {
				Thread.onSpinWait();
			}
		});
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> late.getCount() == 0);
		assertThat(lag.get()).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
		assertThat(output).contains("The event loop of the lock was ").contains("'test-loop");
	}

	@Test
	void anEventIsNeverHandledWithinAnother() {
		List<String> order = new ArrayList<>();
		this.loop.execute(() -> {
			this.loop.execute(() -> order.add("posted"));
			this.loop.run(() -> order.add("run"));
			order.add("first");
		});
		settle();
		assertThat(order).containsExactly("run", "first", "posted");
	}

	@Test
	void aDelayOfAgesIsNoDelayOfNothing() {
		AtomicInteger ran = new AtomicInteger();
		this.loop.schedule(Duration.ofSeconds(Long.MAX_VALUE), ran::incrementAndGet);
		this.loop.schedule(Duration.ofDays(36_500), ran::incrementAndGet);
		CountDownLatch later = new CountDownLatch(1);
		this.loop.schedule(Duration.ofMillis(2), later::countDown);
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> later.getCount() == 0);
		assertThat(ran).hasValue(0);
	}

	@Test
	void afterItWasClosedNothingRuns() {
		AtomicInteger ran = new AtomicInteger();
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		this.loop.execute(() -> thread.complete(Thread.currentThread()));
		this.loop.schedule(LONG, ran::incrementAndGet);
		thread.join();
		this.loop.close();
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !thread.join().isAlive());
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.loop.execute(ran::incrementAndGet));
		this.loop.schedule(Duration.ZERO, ran::incrementAndGet).cancel();
		assertThat(ran).hasValue(0);
	}

	private void settle() {
		CompletableFuture<Void> settled = new CompletableFuture<>();
		this.loop.execute(() -> this.loop.execute(() -> settled.complete(null)));
		settled.orTimeout(10, TimeUnit.SECONDS).join();
	}

}
