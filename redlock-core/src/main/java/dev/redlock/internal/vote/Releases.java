package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.redlock.QuorumStatus;
import dev.redlock.internal.plan.Moment;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * Sends each release to all nodes of its lock at once, and again to a node on which it
 * failed, until the lock has expired there.
 */
public final class Releases {

	private static final int REMEMBERED_NAMES = 256;

	private final Ticker ticker;

	private final EventLoop loop;

	private final Map<LockNode, FailedReleases> failed = new HashMap<>();

	private final List<Runnable> whenDone = new ArrayList<>();

	private final int[] announcedNames = new int[REMEMBERED_NAMES];

	private int announced;

	private int unanswered;

	private long lastConfirmedNanos;

	public Releases(Ticker ticker, EventLoop loop) {
		this.ticker = ticker;
		this.loop = loop;
	}

	void send(ReleaseCommand release) {
		send(release, (tally) -> {
		});
	}

	public void send(ReleaseCommand release, Round.Listener listener) {
		if (release.announced) {
			remember(release);
		}
		ask(release, listener, (node) -> node.release(release.claim, release.keep, release.announced));
	}

	/**
	 * Lets the next request of this process release the lock on each node that grants or
	 * refuses it. The lock is released as ever on the other nodes that may hold it, and
	 * announced, because there the next request did not take it.
	 */
	public HandOver handOver(ReleaseCommand release, long fence, Round.Listener listener) {
		HandOver handOver = new HandOver(new Predecessor(release.claim.token(), fence, false), release.nodes);
		ask(release, listener,
				(node) -> handOver.voteOf(node)
					.thenCompose((vote) -> (vote instanceof Vote.Faulted && isDue(release, node)) ? again(release, node)
							: CompletableFuture.completedStage(vote)));
		return handOver;
	}

	void repeat(ReleaseCommand release, LockNode node, Consumer<Boolean> answered) {
		whenAnswered(again(release, node), answered);
	}

	public boolean hasAnnounced(String name, List<String> keys) {
		int hash = Objects.hash(name, keys);
		return Arrays.stream(this.announcedNames).anyMatch((own) -> own == hash);
	}

	/**
	 * Whether a node may still hold the keys of a release. Only the monotonic clock
	 * measures the time, because a step of the wall clock makes no node forget keys.
	 */
	boolean isDue(ReleaseCommand release, LockNode node) {
		boolean forgotten = release.since.monotonicNanos(this.ticker) > release.claim.ttl().toNanos();
		return !forgotten && release.mayHold.test(node);
	}

	/**
	 * Runs the action once each node has answered all releases or has forgotten the keys.
	 */
	public void whenDone(Runnable action) {
		this.whenDone.add(action);
		List.copyOf(this.failed.values()).forEach(FailedReleases::sendNow);
		runIfDone();
	}

	/**
	 * Returns when a node last confirmed a release, by the monotonic clock.
	 */
	public long lastConfirmedNanos() {
		return this.lastConfirmedNanos;
	}

	void removeNodeWithoutFailures(LockNode node) {
		this.failed.remove(node);
		runIfDone();
	}

	boolean isHurried() {
		return !this.whenDone.isEmpty();
	}

	private void remember(ReleaseCommand release) {
		this.announcedNames[this.announced] = Objects.hash(release.claim.releaseName(), channels(release));
		this.announced = (this.announced + 1) % REMEMBERED_NAMES;
	}

	private static List<String> channels(ReleaseCommand release) {
		return release.claim.channels(release.claim.keys());
	}

	/**
	 * Releases the lock on each node, and repeats a release only if it failed. A slow
	 * release is not repeated, because a repetition would give a slow node even more
	 * work.
	 */
	private void ask(ReleaseCommand release, Round.Listener listener,
			Function<LockNode, CompletionStage<Vote>> operation) {
		new Round(release.nodes, QuorumStatus.majorityOf(release.nodes.size()), this.loop, listener)
			.ask(release.nodeTimeout, (node) -> whenAnswered(Round.ask(node, operation), (fails) -> {
				if (fails && isDue(release, node)) {
					failedOn(node).add(release);
				}
			}));
	}

	private CompletionStage<Vote> again(ReleaseCommand release, LockNode node) {
		if (release.announced && !hasAnnounced(release.claim.releaseName(), channels(release))) {
			remember(release);
		}
		return Round.ask(node, (asked) -> asked.release(release.claim, release.keep, release.announced));
	}

	private CompletionStage<Vote> whenAnswered(CompletionStage<Vote> answer, Consumer<Boolean> answered) {
		this.unanswered++;
		answer.whenComplete((vote, failure) -> this.loop.run(() -> {
			this.unanswered--;
			boolean fails = vote == null || vote instanceof Vote.Faulted;
			if (!fails) {
				this.lastConfirmedNanos = this.ticker.nanoTime();
			}
			answered.accept(fails);
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
	 * The release of a lock, which is sent to all nodes.
	 *
	 * @param claim the keys and the token of the lock, with the longest ttl that was sent
	 * to a node
	 * @param since the moment just before the last ttl was sent to the nodes
	 * @param keep how long the nodes keep the keys after the release, zero to delete the
	 * keys at once
	 * @param announced whether the nodes announce the release to other processes
	 */
	public record ReleaseCommand(Claim claim, List<LockNode> nodes, Predicate<LockNode> mayHold, Moment since,
			Duration nodeTimeout, Duration keep, boolean announced) {

	}

}
