package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Ticker;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An announcement that arrives while the first waiter of a process gives up wakes the
 * second one, at whatever moment it arrives.
 */
class LostWakeUpTests {

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(50));

	/** More than giving up takes. */
	private static final int MOST_LOOKS = 40;

	@Test
	void aReleaseThatIsAnnouncedWhileTheFirstWaiterGivesUpWakesTheSecond() {
		List<Integer> lost = IntStream.rangeClosed(1, MOST_LOOKS)
			.filter((look) -> !isSecondWokenByAReleaseAt(look))
			.boxed()
			.toList();
		assertThat(lost).as("looks at the clock at which a release does not wake the second waiter").isEmpty();
	}

	/**
	 * @param look how often the clock has been read since the first waiter began to give
	 * up: the lock is released at that moment
	 */
	private static boolean isSecondWokenByAReleaseAt(int look) {
		LockWorld world = new LockWorld(5);
		InterruptedTicker ticker = new InterruptedTicker(world.time);
		Redlock process = world.process(world.over(world.nodes, LockWorld.settings(), 2).ticker(ticker));
		Lease held = world.acquire(STOCK);
		CompletableFuture<LockAttempt> first = process.attempt(STOCK).toCompletableFuture();
		CompletableFuture<LockAttempt> second = process.attempt(STOCK).toCompletableFuture();
		// A third process listens too: those that hear of a release leave it a chance.
		world.nodes.forEach((node) -> node.watch("redlock:stock", new Deaf()));
		world.time.advance(Duration.ofMillis(100));
		ticker.interruptAt(look, held::close);
		first.cancel(false);
		ticker.interruptNow();
		world.time.advance(Duration.ofSeconds(1));
		return second.isDone() && completed(second).lease().isPresent();
	}

	/**
	 * A clock that lets something happen when it is read.
	 */
	private static final class InterruptedTicker implements Ticker {

		private final Ticker ticker;

		private int looks;

		private Runnable event = () -> {
		};

		InterruptedTicker(Ticker ticker) {
			this.ticker = ticker;
		}

		void interruptAt(int look, Runnable event) {
			this.looks = look;
			this.event = event;
		}

		void interruptNow() {
			this.looks = 0;
			Runnable now = this.event;
			this.event = () -> {
			};
			now.run();
		}

		@Override
		public long nanoTime() {
			if (--this.looks == 0) {
				interruptNow();
			}
			return this.ticker.nanoTime();
		}

		@Override
		public long epochMicros() {
			return this.ticker.epochMicros();
		}

	}

	private static final class Deaf implements ReleaseListener {

		@Override
		public void listening() {
		}

		@Override
		public void released(String release, int listeners) {
		}

	}

}
