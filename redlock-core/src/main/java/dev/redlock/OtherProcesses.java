package dev.redlock;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * The other processes that want one key, and how this process shares it with them. All
 * that processes know of each other is how many of them listen for releases, and which
 * releases were announced.
 * <p>
 * Moving the lock to another process takes several times as long as handing it on within
 * this one. So a process serves as many requests as waited when the lock came to it, and
 * half as many again. Then it announces its release and yields: for a while it does not
 * ask. A process that has heard a release of each other process has waited longest, and
 * asks at once. The others ask at random moments, the further apart the more processes
 * there are, so that few of them ask at the same time.
 */
final class OtherProcesses implements ReleaseSubscription.Listener {

	private static final int LONGEST_BATCH = 16;

	private static final int LONG_YIELD_GRACES = 16;

	private static final long LONGEST_YIELD_NANOS = Duration.ofMillis(100).toNanos();

	private final LockContext context;

	private final String key;

	private final Runnable onNews;

	private @Nullable ReleaseSubscription subscription;

	/** How many other processes listened to the last release. */
	private int listening;

	/** How many of their releases were heard since this process had the lock. */
	private int heard;

	/** How many requests of this process may have the lock before it yields. */
	private int batch;

	private int served;

	/** Whether another process had the lock since this one had it before. */
	private boolean othersTakeIt;

	private @Nullable Long yieldsUntilNanos;

	/** How many releases of this process have not been answered. */
	private int releasesUnderWay;

	/** Counts the events that make another try worthwhile. */
	private long news;

	/**
	 * Knows of no process yet.
	 * @param onNews is told when another try is worthwhile
	 */
	OtherProcesses(LockContext context, String key, Runnable onNews) {
		this.context = context;
		this.key = key;
		this.onNews = onNews;
	}

	/**
	 * Starts to listen for releases, unless it listens already.
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
	 * Whether a release that another process announces will be heard.
	 */
	boolean isHeard() {
		return this.subscription != null && this.subscription.isComplete();
	}

	long news() {
		return this.news;
	}

	/**
	 * This process has the lock, so all others come before it from here on.
	 * @param handedOver whether it had the lock before
	 * @param here how many requests want it here, including the one that has it
	 */
	void won(boolean handedOver, int here) {
		if (!handedOver) {
			this.othersTakeIt = this.heard > 0;
			this.served = 0;
			// A process that is noticed for the first time from here on is due at once.
			boolean alone = this.heard == 0 && this.listening == 0;
			this.batch = alone ? 0 : Math.min(LONGEST_BATCH, here + here / 2);
		}
		this.served++;
		this.heard = 0;
		this.yieldsUntilNanos = null;
	}

	/**
	 * Whether other processes are to have the lock next.
	 */
	boolean areDue() {
		return this.listening > 0 && this.served >= this.batch;
	}

	/**
	 * How long this process does not ask.
	 */
	Duration pause() {
		Long until = this.yieldsUntilNanos;
		return (until != null) ? Duration.ofNanos(Math.max(0, until - this.context.ticker().nanoTime()))
				: Duration.ZERO;
	}

	/**
	 * This process has sent a release.
	 * @param yields whether it leaves the lock to other processes for a while
	 */
	void releaseSent(boolean yields) {
		this.releasesUnderWay++;
		if (yields) {
			yieldIfOthersWait();
		}
	}

	/**
	 * A release of this process was answered.
	 * @param listeners how many other processes listened to it, negative if unknown
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
		this.news++;
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
	 * Stops listening, and forgets other processes.
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
		int before = this.listening - this.heard;
		if (before > 0) {
			double spread = this.context.random().nextDouble() * before;
			return shortestYieldNanos(grace) + (long) (grace * spread * spread);
		}
		// Several may have waited too long, and none of them as long as those before.
		double spread = this.context.random().nextDouble() * Math.min(1, -before);
		return (long) (grace * spread * spread);
	}

	/**
	 * Long enough for another process to take the lock and to release it again, if it did
	 * so before: asking earlier would be refused. Otherwise that process may only listen,
	 * and the pause is short.
	 */
	private long shortestYieldNanos(long grace) {
		return this.othersTakeIt ? Math.max(grace, Math.min(LONGEST_YIELD_NANOS, grace * LONG_YIELD_GRACES)) : grace;
	}

}
