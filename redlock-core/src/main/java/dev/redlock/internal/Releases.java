package dev.redlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.redlock.QuorumStatus;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * The releases of this process. Each release is sent to all nodes at once. If a release
 * fails on a node that may hold the claim, the release is sent to this node again until
 * the claim has expired.
 */
final class Releases {

	private static final int REMEMBERED_NAMES = 256;

	private final Ticker ticker;

	private final EventLoop loop;

	private final Map<LockNode, FailedReleases> failed = new HashMap<>();

	private final List<Runnable> whenDone = new ArrayList<>();

	/** The hashes of the names and keys of the last announced releases. */
	private final int[] announcedNames = new int[REMEMBERED_NAMES];

	private int announced;

	private int unanswered;

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
	 * @param release the claim to release, and the way to release it
	 * @param listener receives the answers of the nodes
	 */
	void send(Release release, Round.Listener listener) {
		if (release.announcement == Announcement.ALWAYS) {
			remember(release);
		}
		new Round(release.nodes, QuorumStatus.majorityOf(release.nodes.size()), this.loop, listener).ask(
				release.nodeTimeout,
				(node) -> send(release, node, release.announcement == Announcement.ALWAYS, (fails) -> {
					if (fails && isDue(release, node)) {
						failedOn(node).add(release);
					}
				}));
	}

	/**
	 * Sends a failed release to its node again.
	 * @param answered receives true if the release has failed again, otherwise false
	 */
	void repeat(Release release, LockNode node, Consumer<Boolean> answered) {
		boolean announces = release.announcement != Announcement.NEVER;
		if (announces && !hasAnnounced(release.claim.releaseName(), channels(release))) {
			remember(release);
		}
		send(release, node, announces, answered);
	}

	/**
	 * Whether this process has recently announced a release of exactly these keys with
	 * this name.
	 */
	boolean hasAnnounced(String name, List<String> keys) {
		int hash = Objects.hash(name, keys);
		return Arrays.stream(this.announcedNames).anyMatch((own) -> own == hash);
	}

	/**
	 * Whether a node may still hold the claim of a release. The wall clock does not
	 * count, because a step of it does not make the node forget the claim.
	 */
	boolean isDue(Release release, LockNode node) {
		boolean forgotten = release.since.monotonicNanos(this.ticker) > release.claim.ttl().toNanos();
		return !forgotten && release.mayHold.test(node);
	}

	/**
	 * Runs an action as soon as no node can hold a released claim, because each node has
	 * answered all releases or has forgotten the claims. Failed releases are sent again
	 * without growing delays meanwhile.
	 */
	void whenDone(Runnable action) {
		this.whenDone.add(action);
		List.copyOf(this.failed.values()).forEach(FailedReleases::sendNow);
		runIfDone();
	}

	/**
	 * Removes the record of a node whose failed releases have all been answered or
	 * expired.
	 */
	void noneFailed(LockNode node) {
		this.failed.remove(node);
		runIfDone();
	}

	/**
	 * Returns the names of the nodes on which releases have failed.
	 */
	List<String> failedOn() {
		return this.failed.keySet().stream().map(LockNode::name).sorted().toList();
	}

	/**
	 * Whether an action waits until no node can hold a released claim.
	 */
	boolean isHurried() {
		return !this.whenDone.isEmpty();
	}

	private void remember(Release release) {
		this.announcedNames[this.announced] = Objects.hash(release.claim.releaseName(), channels(release));
		this.announced = (this.announced + 1) % REMEMBERED_NAMES;
	}

	private static List<String> channels(Release release) {
		return release.claim.channels(release.claim.keys());
	}

	/**
	 * Sends a release to one node. Only a failed release is repeated. A slow release
	 * either arrives or fails when its connection breaks, and a repetition would give
	 * even more work to a slow node.
	 */
	private CompletionStage<Vote> send(Release release, LockNode node, boolean announced, Consumer<Boolean> answered) {
		CompletionStage<Vote> answer = Round.ask(node,
				(asked) -> asked.release(release.claim, release.keep, announced));
		this.unanswered++;
		answer.whenComplete((vote, failure) -> this.loop.run(() -> {
			this.unanswered--;
			answered.accept(vote == null || vote instanceof Vote.Faulted);
			runIfDone();
		}));
		return answer;
	}

	private FailedReleases failedOn(LockNode node) {
		return this.failed.computeIfAbsent(node, (absent) -> new FailedReleases(this, this.loop, node));
	}

	private void runIfDone() {
		if (this.unanswered == 0 && this.failed.isEmpty() && !this.whenDone.isEmpty()) {
			List<Runnable> actions = List.copyOf(this.whenDone);
			this.whenDone.clear();
			actions.forEach(Runnable::run);
		}
	}

	/**
	 * A claim to release, and the way to release it.
	 *
	 * @param claim the claim, with the longest ttl that was sent to a node
	 * @param nodes all nodes that were asked for the claim
	 * @param mayHold whether a node may hold the claim
	 * @param since the moment before the last operation that set the ttl was sent to the
	 * nodes
	 * @param nodeTimeout the longest time to wait for the answer of one node
	 * @param keep how long the nodes keep the keys after the release; zero to delete the
	 * keys now
	 * @param announcement when the nodes announce the release
	 */
	record Release(Claim claim, List<LockNode> nodes, Predicate<LockNode> mayHold, Moment since, Duration nodeTimeout,
			Duration keep, Announcement announcement) {

	}

	/**
	 * The cases in which the nodes announce a release to other processes.
	 */
	enum Announcement {

		ALWAYS,

		/**
		 * The release is announced only when it is repeated on a node. Another request of
		 * this process asks right after the first release, and was refused on the node
		 * where the release failed.
		 */
		WHEN_REPEATED,

		NEVER

	}

}
