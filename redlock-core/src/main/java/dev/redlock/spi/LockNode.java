package dev.redlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Tick;

/**
 * A node, usually a Redis server: one of the independent voters that grant locks.
 * <p>
 * Implementations are thread-safe, never block the caller, never throw, and never
 * complete a stage exceptionally: every failure is reported as {@link Vote.Faulted}.
 * Operations take effect <strong>in the order in which one thread called them</strong>. A
 * release also undoes an earlier acquire whose answer is still missing. An operation is
 * never repeated after a lost connection.
 * <p>
 * Each operation on a {@link Claim} is atomic over all its keys, except on a Redis
 * Cluster, if the keys are in several hash slots. Such a node releases a claim again that
 * it cannot grant completely.
 */
public interface LockNode {

	/**
	 * The default time for which a node remembers the fence counter of an unused name. A
	 * clock that is set back by up to half of {@code RETENTION} makes no job run twice.
	 */
	Duration RETENTION = Duration.ofHours(30);

	/**
	 * The prefix of the keys in which a node stores facts about itself. The braces make a
	 * Redis Cluster keep all keys with this prefix in one slot.
	 */
	String ABOUT_NODE = "{redlock-node}";

	/**
	 * The suffix that turns the name of a lock key into the name of its fence counter.
	 */
	String COUNTER = ":fence";

	/**
	 * Returns the configured name of the node.
	 */
	String name();

	/**
	 * Returns whether the node may vote on locks now, and why not.
	 */
	NodeStatus status();

	/**
	 * Returns how long the monotonic clock of this process stood still, as far as the
	 * servers' clocks show. Leases of this process end earlier by the returned time.
	 * @return the total time in nanoseconds for which the clock of this process stood
	 * still; zero by default
	 */
	default long missedNanos() {
		return 0;
	}

	/**
	 * Sets all keys of the claim to the token of the claim, if all its keys are free. The
	 * node raises the fence counter of each key above its former value, to at least the
	 * proposed fence.
	 * <p>
	 * A claim that {@linkplain Claim#succeeds() succeeds} another claim takes over keys
	 * that this predecessor holds, in the same step, so that no other owner gets a key in
	 * between. If the succession is strict, the node refuses as
	 * {@link Vote.Refusal#MISSING} if a key is free, and as {@link Vote.Refusal#LOST} if
	 * a counter is above the fence of the predecessor. A refusal of a strict succession
	 * changes nothing, but if keys are in several hash slots, the keys that were already
	 * taken over are deleted. Otherwise free keys are acquired too, a refusal releases
	 * the keys that the predecessor holds, and a grant counts the subscribers of the keys
	 * as {@link #release} does.
	 * @param fence the proposed fence, or {@link Claim#UNFENCED}
	 * @return a grant with the highest counter of the keys, or a refusal as
	 * {@link Vote.Refusal#HELD} if another owner holds a key
	 */
	CompletionStage<Vote> acquire(Claim claim, long fence);

	/**
	 * Extends the keys of the claim to its ttl, and raises their counters to the fence,
	 * if the claim still holds all its keys. An extension never makes a key expire
	 * earlier and never lowers a counter.
	 * @param fence the fence of the lease, or {@link Claim#UNFENCED}
	 * @return a grant, or a refusal as {@link Vote.Refusal#MISSING} or
	 * {@link Vote.Refusal#LOST}
	 */
	CompletionStage<Vote> extend(Claim claim, long fence);

	/**
	 * Writes a claim again to a node that lost it, if the keys of the claim are free and
	 * no counter is above the fence.
	 * @return a grant, or a refusal as {@link Vote.Refusal#HELD} or
	 * {@link Vote.Refusal#LOST}
	 */
	CompletionStage<Vote> restore(Claim claim, long fence);

	/**
	 * Deletes each key that the claim still holds, or sets the time after which the key
	 * expires.
	 * @param keep the time for which each key stays, zero to delete the key now; never
	 * longer than the key would have stayed
	 * @param announce whether the node notifies the subscribers ({@link #watch}) of each
	 * released or free key
	 * @return a grant if the claim held at least one key, otherwise a refusal as
	 * {@link Vote.Refusal#MISSING}
	 */
	CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce);

	/**
	 * Releases a claim, and notifies the subscribers of its keys.
	 */
	default CompletionStage<Vote> release(Claim claim, Duration keep) {
		return release(claim, keep, true);
	}

	/**
	 * Returns whether the operator declares that the servers of the node keep each
	 * acknowledged write over restarts and failovers. The library does not check what the
	 * operator declares.
	 */
	default boolean keepsAcknowledgedWrites() {
		return false;
	}

	/**
	 * Returns whether the node tells other clients about the releases of this client. If
	 * too few nodes announce the releases of a client, other clients poll for its locks.
	 */
	default boolean announces() {
		return true;
	}

	/**
	 * Returns whether the node announces each release of a claim on these keys, even if
	 * the node locked only some of the keys.
	 */
	default boolean announces(List<String> keys) {
		return announces();
	}

	/**
	 * Subscribes to the releases of a key. The subscription is tried again while the node
	 * is unavailable.
	 * @return the subscription, which the caller must close; by default, it never
	 * receives a release
	 */
	default Watch watch(String key, ReleaseListener listener) {
		return Watch.DEAF;
	}

	/**
	 * Records that a job runs for a tick (due time), if the claim still holds its only
	 * key. The node refuses if it has a record of another owner for this tick or a later
	 * tick. A node keeps the record for its retention time plus two intervals of the job.
	 * A node that may have forgotten the record of a job answers with a fault.
	 * @param mark true to write the record, false to ask only whether the node would
	 * write the record
	 * @return a grant, or a refusal as {@link Vote.Refusal#TAKEN} or
	 * {@link Vote.Refusal#LOST}; as taken if both apply
	 */
	default CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		return CompletableFuture.completedStage(
				new Vote.Faulted(Vote.Fault.ERROR, "This kind of node cannot record the runs of jobs", false));
	}

	/**
	 * Reads the state of a key.
	 * @return a grant if the key is free, or a refusal as {@link Vote.Refusal#HELD} with
	 * the holder of the key and the remaining time; a fault in place of a grant from a
	 * node that may not vote
	 */
	CompletionStage<Vote> inspect(String key);

	/**
	 * Reads the states of several keys, before a request tries to lock one of these keys.
	 * A node that may not vote answers with a fault.
	 * @return {@link Vote.Seen} with the result of {@link #inspect} for each key
	 */
	default CompletionStage<Vote> inspectAll(List<String> keys) {
		List<CompletableFuture<Vote>> each = keys.stream().map((key) -> inspect(key).toCompletableFuture()).toList();
		return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)).thenApply((all) -> {
			List<Vote> votes = each.stream().map(CompletableFuture::join).toList();
			return votes.stream().filter(Vote.Faulted.class::isInstance).findFirst().orElse(new Vote.Seen(votes));
		});
	}

}
