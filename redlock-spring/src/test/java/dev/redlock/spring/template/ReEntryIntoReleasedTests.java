package dev.redlock.spring.template;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spi.Ticker;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Work that starts under the lease of outer work at the moment at which that ends runs
 * under a lock all the same.
 */
class ReEntryIntoReleasedTests {

	/** More than it takes to start work. */
	private static final int MOST_LOOKS = 40;

	@Test
	void asynchronousWorkNeverRunsUnderALeaseThatIsReleased() {
		assertNoneWithoutLock((look) -> {
			World world = new World();
			CompletableFuture<Boolean> locked = world.whileOuterEndsAt(look, () -> world.template
				.executeAsync(world.request, (lease) -> CompletableFuture.completedFuture(world.holds(lease))));
			return locked.join();
		});
	}

	@Test
	void reactiveWorkNeverRunsUnderALeaseThatIsReleased() {
		assertNoneWithoutLock((look) -> {
			World world = new World();
			ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(world.redlock, Schedulers.immediate());
			CompletableFuture<Boolean> locked = world.whileOuterEndsAt(look,
					() -> reactive.execute(world.request, (lease) -> Mono.just(world.holds(lease))).toFuture());
			return locked.join();
		});
	}

	/**
	 * @param locked whether inner work had the lock when outer work ended at that look at
	 * the clock
	 */
	private static void assertNoneWithoutLock(IntPredicate locked) {
		List<Integer> without = IntStream.rangeClosed(1, MOST_LOOKS).filter(locked.negate()).boxed().toList();
		assertThat(without).as("looks at the clock at which outer work ends and inner work has no lock").isEmpty();
	}

	private static final class World {

		private final LockWorld world = new LockWorld();

		private final InterruptedTicker ticker = new InterruptedTicker(this.world.time);

		private final Redlock redlock = Redlock.over(this.world.nodes)
			.settings(RedlockSettings.DEFAULTS)
			.ticker(this.ticker)
			.loop(this.world.time)
			.random(new SplittableRandom(1))
			.callbacks(Runnable::run)
			.build();

		private final RedLockTemplate template = new RedLockTemplate(this.redlock, Runnable::run);

		private final LockRequest request = this.world.now("stock:1");

		/**
		 * Starts inner work with the lease of outer work, which ends when the clock has
		 * been read so often since.
		 */
		<T> T whileOuterEndsAt(int look, Supplier<T> inner) {
			CompletableFuture<String> outer = new CompletableFuture<>();
			CompletableFuture<Lease> lease = new CompletableFuture<>();
			this.template.executeAsync(this.request, (own) -> {
				lease.complete(own);
				return outer;
			});
			CurrentLease scope = CurrentLease.open(lease.join());
			try {
				this.ticker.interruptAt(look, () -> outer.complete("done"));
				return inner.get();
			}
			finally {
				scope.close();
			}
		}

		boolean holds(Lease lease) {
			return lease.isValid()
					&& this.world.nodes.stream().allMatch((node) -> node.tokens().containsKey("redlock:stock:1"));
		}

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

		@Override
		public long nanoTime() {
			if (--this.looks == 0) {
				this.event.run();
			}
			return this.ticker.nanoTime();
		}

		@Override
		public long epochMicros() {
			return this.ticker.epochMicros();
		}

	}

}
