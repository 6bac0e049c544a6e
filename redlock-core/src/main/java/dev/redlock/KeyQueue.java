package dev.redlock;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The requests of this process for one key, in the order in which they came. Only the
 * first asks the nodes, and it stays the first until its lease has ended.
 */
final class KeyQueue implements ReleaseSubscription.Listener {

	/** How long releases are listened for, and other processes remembered, after use. */
	private static final Duration IDLE = Duration.ofMillis(500);

	private final KeyQueues queues;

	private final LockContext context;

	private final String key;

	private @Nullable QueuePlace first;

	/** Null as long as no request ever had to wait, as for most keys. */
	private @Nullable Set<QueuePlace> behind;

	/** Null as long as no other process was seen. */
	private @Nullable ProcessTurns turns;

	private @Nullable ReleaseSubscription subscription;

	private Scheduler.@Nullable Timeout idleTimer;

	/** Counts whatever has made another try worthwhile. */
	private long news;

	/** What the nodes told the first, until there is a lease. */
	private @Nullable TryResult refusal;

	/** When the first is to ask again by what it was told; null if it may at once. */
	private @Nullable Long retryAtNanos;

	/** Whether the first was handed the lock by the one before, and has just asked. */
	private boolean handedOver;

	/** Whether a release was not announced, and nothing that followed it was. */
	private boolean owesAnnouncement;

	private int releasesUnderWay;

	/** Under which name this process last announced a release. */
	private @Nullable String ownRelease;

	KeyQueue(KeyQueues queues, LockContext context, String key) {
		this.queues = queues;
		this.context = context;
		this.key = key;
	}

	@Nullable QueuePlace first() {
		return this.first;
	}

	@Nullable TryResult refusal() {
		return this.refusal;
	}

	long news() {
		return this.news;
	}

	boolean isEmpty() {
		return this.first == null && (this.behind == null || this.behind.isEmpty());
	}

	/**
	 * Takes the last place.
	 * @return whether that is the first one too
	 */
	boolean join(QueuePlace place) {
		if (this.first == null) {
			this.first = place;
			return true;
		}
		if (this.behind == null) {
			this.behind = new LinkedHashSet<>();
		}
		this.behind.add(place);
		return false;
	}

	/**
	 * Gives up a place. If it was the first, the next one is told that it is.
	 */
	void leave(QueuePlace place) {
		if (this.first == place) {
			QueuePlace next = advance();
			tidy();
			if (next != null) {
				next.onFirst();
			}
		}
		else if (this.behind != null && this.behind.remove(place)) {
			tidy();
		}
	}

	/**
	 * Gives up the first place to the next request, which is to ask right behind the
	 * release. Then the release need not be announced.
	 * @return the next one, or null if the release has to be announced
	 */
	@Nullable QueuePlace handOver(QueuePlace place) {
		boolean others = this.turns != null && this.turns.isOthersTurn();
		Iterator<QueuePlace> waiting = (this.behind != null) ? this.behind.iterator() : null;
		if (this.first != place || others || waiting == null || !waiting.hasNext() || this.queues.isClosed()
				|| !waiting.next().hasOneKey()) {
			return null;
		}
		this.handedOver = true;
		this.owesAnnouncement = true;
		this.releasesUnderWay++;
		return advance();
	}

	/**
	 * The first has sent a release that is announced, and leaves.
	 * @param name the name of the release
	 */
	void released(QueuePlace place, String name) {
		this.ownRelease = name;
		this.releasesUnderWay++;
		if (this.first == place && this.turns != null) {
			this.turns.released();
		}
		leave(place);
	}

	/**
	 * A release was answered: so many processes listened.
	 */
	void counted(int listeners) {
		this.releasesUnderWay--;
		if (listeners > 0 || this.turns != null) {
			turns().counted(Math.max(0, listeners - ((this.subscription != null) ? 1 : 0)));
		}
		tidy();
	}

	/**
	 * The first has got its lease.
	 */
	void won() {
		if (this.turns != null) {
			this.turns.won(this.handedOver, 1 + ((this.behind != null) ? this.behind.size() : 0));
		}
		this.handedOver = false;
		this.owesAnnouncement = false;
		this.retryAtNanos = null;
		this.refusal = null;
		tidy();
	}

	/**
	 * The nodes refused the first, which is to ask again after a pause.
	 */
	void refused(TryResult result, Duration pause) {
		this.handedOver = false;
		// What a node granted was released there again, with an announcement.
		this.owesAnnouncement &= result.votes().count(Vote.Granted.class::isInstance) == 0;
		this.refusal = result;
		this.retryAtNanos = this.context.ticker().nanoTime() + pause.toNanos();
	}

	/**
	 * Whether a release of this process was not announced and no lease followed it. Other
	 * processes have to be told of the next release, whatever it is of.
	 */
	boolean owesAnnouncement() {
		return this.owesAnnouncement;
	}

	/**
	 * How long the first is to wait before it asks, by what the nodes told the one before
	 * it, and by the turns of other processes.
	 */
	Duration pause() {
		Duration yields = (this.turns != null) ? this.turns.yieldsFor() : Duration.ZERO;
		long untilRetry = (this.retryAtNanos != null) ? this.retryAtNanos - this.context.ticker().nanoTime() : 0;
		return (untilRetry > yields.toNanos()) ? Duration.ofNanos(untilRetry) : yields;
	}

	/**
	 * Listens for releases from here on, where that is possible.
	 */
	void subscribe(List<LockNode> nodes) {
		if (this.subscription == null && !this.queues.isClosed()) {
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

	@Override
	public void listening() {
		tellFirst();
	}

	@Override
	public void released(String release, int listeners) {
		if (release.equals(this.ownRelease)) {
			turns().counted(Math.max(0, listeners - 1));
		}
		else {
			turns().heardRelease(Math.max(0, listeners - 1));
		}
		tellFirst();
	}

	/**
	 * Listens no longer, and forgets other processes.
	 */
	void close() {
		if (this.subscription != null) {
			this.subscription.close();
			this.subscription = null;
		}
		this.turns = null;
		tidy();
	}

	private void tellFirst() {
		this.news++;
		this.retryAtNanos = null;
		if (this.first != null) {
			this.first.onNews(pause());
		}
	}

	private ProcessTurns turns() {
		if (this.turns == null) {
			this.turns = new ProcessTurns(this.context.ticker(), this.context.random(), this.context.roundTimes());
		}
		return this.turns;
	}

	private @Nullable QueuePlace advance() {
		this.first = null;
		if (this.behind != null && !this.behind.isEmpty() && !this.queues.isClosed()) {
			Iterator<QueuePlace> waiting = this.behind.iterator();
			this.first = waiting.next();
			waiting.remove();
		}
		else {
			// What the nodes told the last one need not hold for whoever comes later.
			this.retryAtNanos = null;
			this.refusal = null;
		}
		return this.first;
	}

	private boolean isWaitedFor() {
		return (this.first != null && !this.first.hasLease()) || (this.behind != null && !this.behind.isEmpty());
	}

	/**
	 * Ends when nothing is left to remember, and otherwise looks again some time after
	 * the last request that waited is gone.
	 */
	private void tidy() {
		boolean remembers = this.subscription != null || (this.turns != null && !this.turns.isAlone());
		if (isEmpty() && !remembers && this.releasesUnderWay == 0) {
			if (this.idleTimer != null) {
				this.idleTimer.cancel();
				this.idleTimer = null;
			}
			this.queues.remove(this.key, this);
		}
		else if (remembers && this.idleTimer == null && !isWaitedFor()) {
			this.idleTimer = this.context.loop().schedule(IDLE, this::onIdle);
		}
	}

	private void onIdle() {
		this.idleTimer = null;
		if (!isWaitedFor()) {
			close();
		}
	}

}
