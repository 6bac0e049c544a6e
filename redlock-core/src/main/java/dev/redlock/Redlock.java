package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Skeleton; see the next commits.
 */
public final class Redlock implements AutoCloseable {

	private Redlock(Builder builder) {
	}

	/**
	 * Starts to build a lock over the given nodes.
	 * @param nodes the independent nodes that vote
	 * @return the builder
	 */
	public static Builder over(List<? extends LockNode> nodes) {
		return new Builder(nodes);
	}

	/**
	 * The asynchronous door to everything: asks for a lock, and waits for it as the
	 * request says. Cancelling the future gives up, and leaves nothing behind.
	 * @param request what to lock, and how
	 * @return completes with how the request ended, never exceptionally but by
	 * cancellation
	 */
	public CompletionStage<LockAttempt> attempt(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Asks for a lock, and blocks the thread while waiting for it as the request says.
	 * When the thread is interrupted the attempt ends as
	 * {@link LockNotAcquiredException.Reason#INTERRUPTED}, and the interrupt flag is set
	 * again.
	 * @param request what to lock, and how
	 * @return how the request ended
	 */
	public LockAttempt attemptAndWait(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Checks that a request could succeed: its ttl fits the settings and its instances
	 * exist.
	 * @param request what to lock, and how
	 * @throws IllegalArgumentException if it could not, with what to change
	 */
	public void check(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	/**
	 * The settings of this lock.
	 * @return the settings
	 */
	public RedlockSettings settings() {
		throw new UnsupportedOperationException();
	}

	/**
	 * The nodes that vote.
	 * @return the nodes, in the order of their configuration
	 */
	public List<LockNode> nodes() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Refuses new requests, ends those that wait, and releases what is held, within the
	 * shutdown timeout of the settings. Further calls do nothing.
	 */
	@Override
	public void close() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Collects what a lock is made of.
	 */
	public static final class Builder {

		private final List<LockNode> nodes;

		private RedlockSettings settings = RedlockSettings.DEFAULTS;

		private @Nullable Ticker ticker;

		private @Nullable Scheduler scheduler;

		private @Nullable RandomGenerator random;

		private @Nullable Executor callbacks;

		private RedlockListener listener = new RedlockListener() {
		};

		private Builder(List<? extends LockNode> nodes) {
			this.nodes = List.copyOf(nodes);
		}

		/**
		 * Defaults and limits.
		 * @param settings the settings
		 * @return this builder
		 */
		public Builder settings(RedlockSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * The clock.
		 * @param ticker the clock
		 * @return this builder
		 */
		public Builder ticker(Ticker ticker) {
			this.ticker = ticker;
			return this;
		}

		/**
		 * The timers.
		 * @param scheduler runs what must happen later
		 * @return this builder
		 */
		public Builder scheduler(Scheduler scheduler) {
			this.scheduler = scheduler;
			return this;
		}

		/**
		 * The randomness of tokens and delays.
		 * @param random a thread-safe and unpredictable generator
		 * @return this builder
		 */
		public Builder random(RandomGenerator random) {
			this.random = random;
			return this;
		}

		/**
		 * Where user code runs: listeners, and what hangs on the stages of a lease.
		 * @param callbacks the executor
		 * @return this builder
		 */
		public Builder callbacks(Executor callbacks) {
			this.callbacks = callbacks;
			return this;
		}

		/**
		 * Who is told what happens to leases.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(RedlockListener listener) {
			this.listener = listener;
			return this;
		}

		/**
		 * Builds the lock.
		 * @return the lock
		 */
		public Redlock build() {
			return new Redlock(this);
		}

	}

}
