package dev.redlock.spi;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One independent voter.
 * <p>
 * Implementations are thread-safe, never block the caller, never throw, and never
 * complete a stage exceptionally: whatever goes wrong is a {@link Vote.Faulted}.
 * Operations take effect <strong>in the order in which they were called</strong>, so that
 * a release that is called behind an acquire also undoes it when its answer is late. An
 * operation is sent at most once: nothing is kept back and replayed after a connection
 * was lost.
 * <p>
 * Each operation on a claim is atomic over all its keys, except on nodes that are spread
 * over several servers; there a claim that could not be granted as a whole leaves nothing
 * behind.
 */
public interface LockNode {

	/**
	 * The name under which the node is configured.
	 * @return the name
	 */
	String name();

	/**
	 * Whether the node may vote at the moment.
	 * @return the status
	 */
	NodeStatus status();

	/**
	 * Sets all keys of the claim to its token if all are free, and raises each key's
	 * counter above its former value, to at least the proposed fence.
	 * @param claim the claim
	 * @param fence the proposed fence, or {@link Claim#UNFENCED}
	 * @return granted with the highest counter, or refused as {@link Vote.Refusal#HELD}
	 */
	CompletionStage<Vote> acquire(Claim claim, long fence);

	/**
	 * Sets each counter of the claim to exactly the given fence if the claim still holds
	 * all its keys and no counter is above it.
	 * @param claim the claim
	 * @param fence the fence
	 * @return granted, or refused as {@link Vote.Refusal#LOST} or
	 * {@link Vote.Refusal#TOO_LOW}
	 */
	CompletionStage<Vote> raise(Claim claim, long fence);

	/**
	 * Prolongs each key that would expire before the ttl of the claim if the claim still
	 * holds all its keys; never shortens one.
	 * @param claim the claim, with the new ttl
	 * @param fence the fence of the lease, or {@link Claim#UNFENCED}
	 * @return granted, or refused as {@link Vote.Refusal#MISSING} or
	 * {@link Vote.Refusal#LOST}
	 */
	CompletionStage<Vote> extend(Claim claim, long fence);

	/**
	 * Writes a live claim again on a node that lost it, if its keys are free and no
	 * counter is above the fence.
	 * @param claim the claim
	 * @param fence the fence of the lease, or {@link Claim#UNFENCED}
	 * @return granted, or refused as {@link Vote.Refusal#HELD} or
	 * {@link Vote.Refusal#LOST}
	 */
	CompletionStage<Vote> plant(Claim claim, long fence);

	/**
	 * Deletes each key that the claim still holds, or lets it expire after a while.
	 * @param claim the claim
	 * @param keep how long the key stays, zero to delete it now; never longer than it
	 * would have stayed
	 * @param announce whether those who {@link #watch} the key are told
	 * @return granted if at least one key was the claim's, with the number of those who
	 * watch; or refused as {@link Vote.Refusal#MISSING}
	 */
	CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce);

	/**
	 * Releases a claim, and tells those who watch.
	 * @param claim the claim
	 * @param keep how long the key stays, zero to delete it now
	 * @return as for {@link #release(Claim, Duration, boolean)}
	 */
	default CompletionStage<Vote> release(Claim claim, Duration keep) {
		return release(claim, keep, true);
	}

	/**
	 * Listens for releases of a key. Keeps on trying while the node is unavailable.
	 * @param key the key
	 * @param listener who is told
	 * @return the watch, to be closed; by default one that hears nothing
	 */
	default Watch watch(String key, ReleaseListener listener) {
		return Watch.DEAF;
	}

	/**
	 * Puts one token in the place of another, with the ttl of the new claim, if the
	 * former claim still holds all its keys. Counters stay as they are.
	 * @param former the claim to be replaced
	 * @param claim the claim that takes its place, on the same keys
	 * @param fence the fence of the lease, or {@link Claim#UNFENCED}
	 * @return granted, or refused as {@link Vote.Refusal#MISSING} or
	 * {@link Vote.Refusal#LOST}
	 */
	default CompletionStage<Vote> transfer(Claim former, Claim claim, long fence) {
		return CompletableFuture
			.completedStage(new Vote.Faulted(Vote.Fault.ERROR, "This kind of node cannot hand over a lease", false));
	}

	/**
	 * Looks at a key.
	 * @param key the key
	 * @return granted if it is free, or refused as {@link Vote.Refusal#HELD} with holder
	 * and remaining time
	 */
	CompletionStage<Vote> inspect(String key);

}
