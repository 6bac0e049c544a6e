package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * The releases of this process. Each release is sent to all nodes at once. If it fails on
 * a node that may hold the claim, it is sent there again until the claim has expired.
 */
final class Releases {

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

	private static final int MAX_RETRIES_UNDER_WAY = 10_000;

	private static final int REMEMBERED_NAMES = 256;

	private final Ticker ticker;

	private final EventLoop loop;

	private final List<Runnable> whenDone = new ArrayList<>();

	/** The hashes of the names of the last releases that this process announced. */
	private final int[] announcedNames = new int[REMEMBERED_NAMES];

	private int announced;

	private int underWay;

	private int retries;

	Releases(Ticker ticker, EventLoop loop) {
		this.ticker = ticker;
		this.loop = loop;
	}

	/**
	 * Releases a claim.
	 */
	void send(Release release) {
		send(release, new Round.Listener() {
		});
	}

	/**
	 * Releases a claim.
	 * @param release the claim to release, and how
	 * @param listener receives the answers of the nodes
	 */
	void send(Release release, Round.Listener listener) {
		if (release.announcement == Announcement.ALWAYS) {
			remember(release);
		}
		this.underWay++;
		new Round(release.nodes, new Quorum(release.nodes.size()).majority(), this.loop, new Round.Listener() {
			@Override
			public void decided(Tally tally) {
				listener.decided(tally);
			}

			@Override
			public void settled(Tally tally) {
				listener.settled(tally);
				Releases.this.underWay--;
				runIfDone();
			}
		}).ask(release.nodeTimeout,
				(node) -> send(release, node, release.announcement == Announcement.ALWAYS, FIRST_RETRY));
	}

	private void remember(Release release) {
		this.announcedNames[this.announced] = release.claim.releaseName().hashCode();
		this.announced = (this.announced + 1) % REMEMBERED_NAMES;
	}

	/**
	 * Whether this process has recently announced a release with this name.
	 */
	boolean hasAnnounced(String name) {
		int hash = name.hashCode();
		return Arrays.stream(this.announcedNames).anyMatch((own) -> own == hash);
	}

	/**
	 * Runs an action as soon as each node has answered all releases or timed out.
	 */
	void whenDone(Runnable action) {
		this.whenDone.add(action);
		runIfDone();
	}

	private void runIfDone() {
		if (this.underWay == 0 && !this.whenDone.isEmpty()) {
			List<Runnable> actions = List.copyOf(this.whenDone);
			this.whenDone.clear();
			actions.forEach(Runnable::run);
		}
	}

	/**
	 * Sends one release, and repeats it with growing delays while it fails. Only a failed
	 * release is repeated: a slow one either arrives or fails when its connection breaks,
	 * and repeating it would give even more work to a slow node.
	 */
	private CompletionStage<Vote> send(Release release, LockNode node, boolean announced, Duration retryDelay) {
		CompletionStage<Vote> answer = node.release(release.claim, release.keep, announced);
		answer.thenAccept((vote) -> {
			if (vote instanceof Vote.Faulted) {
				this.loop.post(() -> retry(release, node, retryDelay));
			}
		});
		return answer;
	}

	private void retry(Release release, LockNode node, Duration delay) {
		boolean forgotten = release.since.elapsedNanos(this.ticker) > release.claim.ttl().toNanos();
		// Beyond the limit, the claim is left to its ttl: a flood of retries would not
		// help.
		if (forgotten || this.retries >= MAX_RETRIES_UNDER_WAY || !release.mayHold.test(node)) {
			return;
		}
		this.retries++;
		Duration doubled = delay.multipliedBy(2);
		this.loop.schedule(delay, () -> {
			this.retries--;
			boolean announced = release.announcement != Announcement.NEVER;
			if (announced && !hasAnnounced(release.claim.releaseName())) {
				remember(release);
			}
			send(release, node, announced, (doubled.compareTo(LONGEST_RETRY) < 0) ? doubled : LONGEST_RETRY);
		});
	}

	/**
	 * A claim to release, and the way to release it.
	 *
	 * @param claim the claim, with the longest ttl that was sent to a node
	 * @param nodes all nodes that were asked for the claim
	 * @param mayHold whether a node may hold the claim
	 * @param since the start of the last operation from which a node may count the ttl
	 * @param nodeTimeout the longest time for one node
	 * @param keep the time for which the keys stay; zero to delete them now
	 * @param announcement when the nodes announce the release
	 */
	record Release(Claim claim, List<LockNode> nodes, Predicate<LockNode> mayHold, Moment since, Duration nodeTimeout,
			Duration keep, Announcement announcement) {

	}

	/**
	 * When the nodes announce a release to other processes.
	 */
	enum Announcement {

		ALWAYS,

		/**
		 * Only when it is repeated on a node. Another request of this process asks right
		 * after the release, and it did not get that node.
		 */
		WHEN_REPEATED,

		NEVER

	}

}
