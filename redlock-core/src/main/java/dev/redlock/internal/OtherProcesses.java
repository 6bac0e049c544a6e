package dev.redlock.internal;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * The other processes that want one key, and the rules for sharing the key with them.
 * Processes know only two facts about each other: how many of them subscribe to releases,
 * and which releases were announced.
 * <p>
 * Moving the lock to another process takes several times as long as a handover within
 * this process. So a process serves as many requests as were waiting when it got the
 * lock, and half as many again, up to a limit; if it knew of no other process then, it
 * serves one. Then it announces its release and yields, which means that it does not ask
 * for a while. A process that has received a release from every other process has waited
 * longest and asks at once. The other processes ask at random moments. These are spread
 * further apart the more processes there are, so that few processes ask at the same time.
 */
final class OtherProcesses implements ReleaseSubscription.Listener {

	private static final int LONGEST_BATCH = 16;

	private static final int LONG_YIELD_GRACES = 16;

	private static final long LONGEST_YIELD_NANOS = Duration.ofMillis(100).toNanos();

	private final LockContext context;

	private final String key;

	private final Runnable onNews;

	private @Nullable ReleaseSubscription subscription;

	/** The number of other processes that received the last release. */
	private int listening;

	/** The number of their releases received since this process had the lock. */
	private int heard;

	/** The number of requests of this process that may have the lock before it yields. */
	private int batch;

	private int served;

	/**
	 * Whether another process had the lock since the previous time this process had it.
	 */
	private boolean othersTakeIt;

	private @Nullable Long yieldsUntilNanos;

	/** The number of releases of this process without an answer. */
	private int releasesUnderWay;

	/**
	 * Creates the record of a key, without any known process.
	 * @param onNews runs when another try is worthwhile
	 */
	OtherProcesses(LockContext context, String key, Runnable onNews) {
		this.context = context;
		this.key = key;
		this.onNews = onNews;
	}

	/**
	 * Subscribes to releases, unless there is a subscription.
	 */
	void subscribe(List<LockNode> nodes) {
		if (this.subscription == null) {
			this.subscription = new ReleaseSubscription(nodes.size(), this.context.loop(), this.context.roundTimes(),
					this);
			this.subscription.open(nodes, this.key);
		}
	}

	void unsubscribe() {
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
		}
	}

	boolean hasSubscription() {
		return this.subscription != null;
	}

	/**
	 * Whether this process will receive a release that another process announces.
	 */
	boolean isSubscribed() {
		return this.subscription != null && this.subscription.isComplete();
	}

	/**
	 * Records that this process has the lock, so that all others now have priority over
	 * it.
	 * @param handedOver whether another request of this process handed the lock over
	 * @param here the number of requests of this process that want the lock, including
	 * the one that has it
	 */
	void won(boolean handedOver, int here) {
		if (!handedOver) {
			this.othersTakeIt = this.heard > 0;
			this.served = 0;
			// If no other process is known, the first one to appear is due at once.
			boolean alone = this.heard == 0 && this.listening == 0;
			this.batch = alone ? 0 : Math.min(LONGEST_BATCH, here + here / 2);
		}
		this.served++;
		this.heard = 0;
		this.yieldsUntilNanos = null;
	}

	/**
	 * Whether other processes should have the lock next.
	 */
	boolean areDue() {
		return this.listening > 0 && this.served >= this.batch;
	}

	/**
	 * Returns how much longer this process must not ask.
	 */
	Duration pause() {
		Long until = this.yieldsUntilNanos;
		return (until != null) ? Duration.ofNanos(Math.max(0, until - this.context.ticker().nanoTime()))
				: Duration.ZERO;
	}

	/**
	 * Records that this process has sent a release.
	 * @param yields whether this process leaves the lock to other processes for a while
	 */
	void releaseSent(boolean yields) {
		this.releasesUnderWay++;
		if (yields) {
			yieldIfOthersWait();
		}
	}

	/**
	 * Handles the answer to a release of this process.
	 * @param listeners the number of other processes that received it, negative if
	 * unknown
	 */
	void releaseAnswered(int listeners) {
		this.releasesUnderWay--;
		if (listeners >= 0) {
			counted(listeners);
		}
	}

	@Override
	public void released(String release, int listeners) {
		counted(Math.max(0, listeners - 1));
		if (!this.context.releases().hasAnnounced(release)) {
			this.heard++;
			this.yieldsUntilNanos = null;
			yieldIfOthersWait();
		}
		tryAgain();
	}

	@Override
	public void tryAgain() {
		this.onNews.run();
	}

	/**
	 * Whether a subscription is open, or other processes are known to wait.
	 */
	boolean areRemembered() {
		return this.subscription != null || this.listening > 0 || this.yieldsUntilNanos != null;
	}

	boolean awaitsAnswers() {
		return this.releasesUnderWay > 0;
	}

	/**
	 * Ends the subscription and forgets other processes.
	 */
	void forget() {
		unsubscribe();
		this.heard = 0;
		this.othersTakeIt = false;
		counted(0);
	}

	private void counted(int others) {
		this.listening = others;
		if (others == 0) {
			this.yieldsUntilNanos = null;
		}
	}

	private void yieldIfOthersWait() {
		if (this.listening > 0) {
			this.yieldsUntilNanos = this.context.ticker().nanoTime() + yieldNanos();
		}
	}

	private long yieldNanos() {
		long grace = this.context.roundTimes().graceNanos();
		int ahead = this.listening - this.heard;
		if (ahead > 0) {
			double spread = this.context.random().nextDouble() * ahead;
			return shortestYieldNanos(grace) + (long) (grace * spread * spread);
		}
		// Zero if each other process has released once. With more releases than
		// processes, several processes may be in the same position, so the pause is
		// random.
		double spread = this.context.random().nextDouble() * Math.min(1, -ahead);
		return (long) (grace * spread * spread);
	}

	/**
	 * Returns a time long enough for another process to take the lock and release it
	 * again, if one did so before: an earlier try would be refused. Otherwise the other
	 * process may only be subscribed, and the pause is short.
	 */
	private long shortestYieldNanos(long grace) {
		return this.othersTakeIt ? Math.max(grace, Math.min(LONGEST_YIELD_NANOS, grace * LONG_YIELD_GRACES)) : grace;
	}

}
