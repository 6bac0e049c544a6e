package dev.redlock;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * What one process knows of the others that want the same key: it listens for their
 * releases while it waits, and shares the key with them.
 */
final class OtherProcesses implements ReleaseSubscription.Listener {

	private final LockContext context;

	private final String key;

	private final Runnable onNews;

	/** Null as long as no other process was seen. */
	private @Nullable ProcessFairness fairness;

	private @Nullable ReleaseSubscription subscription;

	/** How many releases of this process have not been answered. */
	private int releasesUnderWay;

	/** Counts whatever has made another try worthwhile. */
	private long news;

	/**
	 * Knows of no process yet.
	 * @param onNews is told of whatever makes another try worthwhile
	 */
	OtherProcesses(LockContext context, String key, Runnable onNews) {
		this.context = context;
		this.key = key;
		this.onNews = onNews;
	}

	long news() {
		return this.news;
	}

	/**
	 * Listens for releases from here on, where that is possible.
	 */
	void subscribe(List<LockNode> nodes) {
		if (this.subscription == null) {
			this.subscription = new ReleaseSubscription(nodes.size(), this.context.loop(), this.context.roundTimes(),
					this);
			this.subscription.open(nodes, this.key);
		}
	}

	/**
	 * Whether a release that another process announces will be heard.
	 */
	boolean isSubscribed() {
		return this.subscription != null && this.subscription.isComplete();
	}

	void unsubscribe() {
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
		}
	}

	/**
	 * This process has the lock.
	 * @param handedOver whether it had the lock before
	 * @param here how many requests want it here, the one that has it among them
	 */
	void won(boolean handedOver, int here) {
		if (this.fairness != null) {
			this.fairness.won(handedOver, here);
		}
	}

	/**
	 * Whether other processes are to have the lock next.
	 */
	boolean areDue() {
		return this.fairness != null && this.fairness.othersAreDue();
	}

	/**
	 * For how long this process is not to ask.
	 */
	Duration pause() {
		return (this.fairness != null) ? this.fairness.yieldsFor() : Duration.ZERO;
	}

	/**
	 * This process has sent a release.
	 * @param yields whether it leaves the lock to other processes for a while
	 */
	void releaseSent(boolean yields) {
		this.releasesUnderWay++;
		if (yields && this.fairness != null) {
			this.fairness.released();
		}
	}

	/**
	 * A release of this process was answered.
	 * @param listeners how many other processes listened to it, negative if unknown
	 */
	void releaseAnswered(int listeners) {
		this.releasesUnderWay--;
		if (listeners > 0 || (listeners == 0 && this.fairness != null)) {
			fairness().counted(listeners);
		}
	}

	@Override
	public void tryAgain() {
		this.news++;
		this.onNews.run();
	}

	@Override
	public void released(String release, int listeners) {
		int others = Math.max(0, listeners - 1);
		if (this.context.releases().hasAnnounced(release)) {
			fairness().counted(others);
		}
		else {
			fairness().heardRelease(others);
		}
		tryAgain();
	}

	/**
	 * Whether a subscription is open, or other processes are known to wait.
	 */
	boolean areRemembered() {
		return isOpen() || (this.fairness != null && !this.fairness.isAlone());
	}

	boolean isOpen() {
		return this.subscription != null;
	}

	boolean awaitsAnswers() {
		return this.releasesUnderWay > 0;
	}

	/**
	 * Stops listening, and forgets other processes.
	 */
	void forget() {
		unsubscribe();
		this.fairness = null;
	}

	private ProcessFairness fairness() {
		if (this.fairness == null) {
			this.fairness = new ProcessFairness(this.context.ticker(), this.context.random(),
					this.context.roundTimes());
		}
		return this.fairness;
	}

}
