package dev.redlock.spring.template;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class RedLockTemplateLossTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	@AfterEach
	void leavesNoInterrupt() {
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void lossIsThrownAfterTheWork() {
		List<String> steps = new ArrayList<>();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.execute(this.world.now("stock:1"), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				return steps.add("work ran to its end");
			}))
			.withMessageContaining("stock:1");
		assertThat(steps).hasSize(1);
	}

	@Test
	void exceptionOfTheWorkWinsOverALossAndCarriesIt() {
		IOException failure = new IOException("of the work");
		assertThat(catchThrowable(() -> this.template.execute(this.world.now("stock:1"), (lease) -> {
			this.world.time.advance(LockWorld.TOO_LONG);
			throw failure;
		}))).isSameAs(failure);
		assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
	}

	@Test
	void lossIsIgnoredWhenAsked() {
		String result = this.template.execute(this.world.now("stock:1").withOnLoss(LossPolicy.IGNORE), (lease) -> {
			this.world.time.advance(LockWorld.TOO_LONG);
			return "done";
		});
		assertThat(result).isEqualTo("done");
	}

	@Test
	void lossInterruptsTheWorkWhenAskedAndTheFlagDoesNotLeak() {
		AtomicBoolean interrupted = new AtomicBoolean();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template
			.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				interrupted.set(Thread.currentThread().isInterrupted());
				return null;
			}));
		assertThat(interrupted).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void interruptOfSomebodyElseSurvivesALoss() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template
			.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
				Thread.currentThread().interrupt();
				this.world.time.advance(LockWorld.TOO_LONG);
				return null;
			}));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptOfSomebodyElseAfterTheWorkHasConsumedThatOfALossSurvives() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.template
			.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				assertThat(Thread.interrupted()).isTrue();
				awaitTheTimersOfTheJdk();
				Thread.currentThread().interrupt();
				return null;
			}));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptOfSomebodyElseWhileTheWorkStopsForALossSurvives() {
		assertThat(catchThrowable(() -> this.template
			.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				try {
					new CountDownLatch(1).await();
				}
				finally {
					Thread.currentThread().interrupt();
				}
				return null;
			}))).isInstanceOf(InterruptedException.class)
			.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement()
				.isInstanceOf(LockLostException.class));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void lossAfterTheWorkHasEndedInterruptsNobody() {
		AtomicReference<Lease> used = new AtomicReference<>();
		this.template.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
			used.set(lease);
			return null;
		});
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(used.get().isValid()).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@RepeatedTest(200)
	void lossWhileTheWorkEndsNeverInterruptsWhatTheThreadDoesNext() throws InterruptedException {
		CountDownLatch ending = new CountDownLatch(1);
		Thread loss = new Thread(() -> {
			while (ending.getCount() > 0) {
				Thread.onSpinWait();
			}
			this.world.time.advance(LockWorld.TOO_LONG);
		});
		loss.start();
		catchThrowable(() -> this.template.<Void>execute(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT),
				(lease) -> {
					ending.countDown();
					return null;
				}));
		boolean interrupted = Thread.interrupted();
		loss.join();
		assertThat(interrupted || Thread.interrupted()).isFalse();
	}

	@Test
	void interruptDoesNotOutliveWorkThatEndsWhileTheTimerLooksAtItsThread() throws InterruptedException {
		Worker worker = new Worker();
		worker.start();
		worker.join(Duration.ofSeconds(30).toMillis());
		assertThat(worker.outlived).isCompletedWithValue(false);
	}

	@Test
	void workThatClosesItsLeaseInTimeHasNotLostIt() {
		String result = this.template.execute(this.world.now("stock:1"), (lease) -> {
			lease.close();
			this.world.time.advance(LockWorld.TOO_LONG);
			return "done";
		});
		assertThat(result).isEqualTo("done");
	}

	/**
	 * One thread runs them in order, so what is due sooner has run by then.
	 */
	private static void awaitTheTimersOfTheJdk() {
		CompletableFuture.runAsync(() -> {
		}, CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS, Runnable::run)).join();
	}

	/**
	 * A thread whose work is interrupted. When the timer looks at its flag, the work ends
	 * and waits for the timer, which takes the flag away for the time of that wait.
	 */
	private final class Worker extends Thread {

		private final CompletableFuture<Boolean> outlived = new CompletableFuture<>();

		private final CountDownLatch looking = new CountDownLatch(1);

		@Override
		public void run() {
			LockRequest request = RedLockTemplateLossTests.this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT);
			catchThrowable(() -> RedLockTemplateLossTests.this.template.<Void>execute(request, (lease) -> {
				RedLockTemplateLossTests.this.world.redlock.revoke("stock:1");
				while (this.looking.getCount() > 0) {
					Thread.onSpinWait();
				}
				return null;
			}));
			this.outlived.complete(Thread.interrupted());
		}

		@Override
		public boolean isInterrupted() {
			if (Thread.currentThread() != this && this.looking.getCount() > 0) {
				this.looking.countDown();
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> getState() == State.WAITING);
			}
			return super.isInterrupted();
		}

	}

}
