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
 * Sends releases to all nodes at once, and sends them again to nodes that could not take
 * them and may hold the claim, until the node has forgotten it by itself.
 */
final class Releases {

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

	private static final int MAX_RETRIES_UNDER_WAY = 10_000;

	private static final int REMEMBERED_NAMES = 256;

	private final Ticker ticker;

	private final EventLoop loop;

	private final List<Runnable> whenDone = new ArrayList<>();

	/** The names under which this process last announced releases, as hashes. */
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
	 * @param release what to release
	 * @param listener is told what the nodes answer
	 */
	void send(Release release, Round.Listener listener) {
		if (release.announced) {
			this.announcedNames[this.announced] = release.claim.releaseName().hashCode();
			this.announced = (this.announced + 1) % REMEMBERED_NAMES;
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
				done();
			}
		}).ask(release.nodeTimeout, (node) -> send(release, node, FIRST_RETRY));
	}

	/**
	 * Whether this process has announced a release under that name not long ago.
	 */
	boolean hasAnnounced(String name) {
		int hash = name.hashCode();
		return Arrays.stream(this.announcedNames).anyMatch((own) -> own == hash);
	}

	/**
	 * Runs an action as soon as no release is under way: each node has answered or timed
	 * out.
	 */
	void whenDone(Runnable action) {
		this.whenDone.add(action);
		runIfDone();
	}

	private void done() {
		this.underWay--;
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
	 * Sends one release, and again, ever more slowly, while it fails. A release that is
	 * merely slow is on its way and arrives, or its connection breaks and it fails: only
	 * what failed is sent again, or a node that is behind would be given more and more to
	 * do.
	 */
	private CompletionStage<Vote> send(Release release, LockNode node, Duration retryDelay) {
		CompletionStage<Vote> answer = node.release(release.claim, release.keep, release.announced);
		answer.thenAccept((vote) -> {
			if (vote instanceof Vote.Faulted) {
				this.loop.post(() -> retry(release, node, retryDelay));
			}
		});
		return answer;
	}

	private void retry(Release release, LockNode node, Duration delay) {
		boolean forgotten = release.since.elapsedNanos(this.ticker) > release.claim.ttl().toNanos();
		// Past the bound the ttl has to do: a flood of retries would help nothing.
		if (forgotten || this.retries >= MAX_RETRIES_UNDER_WAY || !release.mayHold.test(node)) {
			return;
		}
		this.retries++;
		Duration doubled = delay.multipliedBy(2);
		this.loop.schedule(delay, () -> {
			this.retries--;
			send(release, node, (doubled.compareTo(LONGEST_RETRY) < 0) ? doubled : LONGEST_RETRY);
		});
	}

	/**
	 * What to release, and where.
	 *
	 * @param claim the claim, with the longest ttl that a node may have been told
	 * @param nodes all nodes that were asked for it
	 * @param mayHold whether a node may hold the claim, for all that is known
	 * @param since when a node last may have started to count the ttl
	 * @param nodeTimeout how long one node may take
	 * @param keep how long the keys stay; zero to delete them now
	 * @param announced whether others are told; not where another request of this process
	 * asks right behind it
	 */
	record Release(Claim claim, List<LockNode> nodes, Predicate<LockNode> mayHold, Moment since, Duration nodeTimeout,
			Duration keep, boolean announced) {

	}

}
