package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
	void lossInterruptsTheThreadOnWhichAFutureBegins() {
		AtomicBoolean interrupted = new AtomicBoolean();
		CompletableFuture<Void> answer = this.template
			.executeUntilComplete(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				interrupted.set(Thread.currentThread().isInterrupted());
				return new CompletableFuture<>();
			});
		assertThat(Thread.interrupted()).isFalse();
		assertThat(interrupted).isTrue();
		assertThat(answer).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockLostException.class);
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

	@RepeatedTest(50)
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
	void workThatClosesItsLeaseInTimeHasNotLostIt() {
		String result = this.template.execute(this.world.now("stock:1"), (lease) -> {
			lease.close();
			this.world.time.advance(LockWorld.TOO_LONG);
			return "done";
		});
		assertThat(result).isEqualTo("done");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void nestedCallsUnderOneLeaseAreInterruptedOnceAndTheFlagDoesNotLeak(boolean onSecondThread) {
		Deque<Runnable> callbacks = new ArrayDeque<>();
		Redlock lock = Redlock.over(this.world.nodes)
			.ticker(this.world.time)
			.loop(this.world.time)
			.random(new SplittableRandom(4))
			.callbacks(callbacks::add)
			.build();
		RedLockTemplate nesting = new RedLockTemplate(lock, (task) -> new Thread(task).start());
		LockRequest request = this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT);
		AtomicBoolean twice = new AtomicBoolean();
		Supplier<CompletableFuture<Void>> innermost = () -> nesting.execute(request, (inner) -> {
			this.world.time.advance(LockWorld.TOO_LONG);
			while (!Thread.currentThread().isInterrupted()) {
				callbacks.remove().run();
			}
			try {
				new CountDownLatch(1).await();
				return null;
			}
			finally {
				// The work cleans up, while other losses are told.
				callbacks.forEach(Runnable::run);
				twice.set(Thread.currentThread().isInterrupted());
			}
		});
		Throwable failure = catchThrowable(() -> nesting.execute(request, (outer) -> onSecondThread
				? nesting.executeAsync(request, (inner) -> innermost.get()).join() : innermost.get()));
		assertThat((failure instanceof CompletionException) ? failure.getCause() : failure)
			.isInstanceOf(InterruptedException.class);
		assertThat(twice).isFalse();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

}
