package dev.redlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.redlock.internal.plan.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * An immutable request for a lock: the resources to lock, and how. A value that is null
 * is taken from the {@link RedlockSettings}.
 *
 * @param resources the names to lock, all or nothing; kept sorted. A name over 1,024
 * bytes of UTF-8 is shortened and ends in a hash; control characters are refused
 * @param ttl the time after which the nodes forget the lock
 * @param waitFor how long the request waits for the lock; zero for a single try
 * @param retryCount the maximum number of retries of a request that waits; -1 for no
 * limit
 * @param retryDelay the upper limit of the random delay between two tries; the limit must
 * be at least 1 ms
 * @param clockDriftFactor the share of the ttl that is subtracted from the validity
 * because clocks run at different speeds
 * @param instances the names of the nodes that vote; empty for all nodes
 * @param renew whether the lease is renewed until it is released
 * @param maxHold the longest time for which a lease is renewed or extended, counted from
 * its acquisition
 * @param atLeast the minimum time for which the nodes keep the lock, even if it is
 * released earlier
 * @param onLoss what happens to the locked code when the lease is lost
 * @param origin the caller's name in metrics and spans, such as the name of a method;
 * null if the caller gave none
 * @param tick the due time of the job that the lock is for, null for a lock without a job
 * @param awaitReason whether a refused request waits, at most for the node timeout, until
 * the reason for its failure is certain
 * @param permits how many owners may lock the resource at once, like a semaphore; 0 for
 * an exclusive lock
 * @param standby whether the request stands by for its lock while no caller waits for the
 * lock
 * @param ticket the ticket of the detached lease that this request carries on, null for a
 * request of its own; a secret
 */
public record LockRequest(List<String> resources, @Nullable Duration ttl, @Nullable Duration waitFor,
		@Nullable Integer retryCount, @Nullable Duration retryDelay, @Nullable Double clockDriftFactor,
		Set<String> instances, @Nullable Boolean renew, @Nullable Duration maxHold, Duration atLeast, LossPolicy onLoss,
		@Nullable String origin, @Nullable Tick tick, boolean awaitReason, int permits, boolean standby,
		@Nullable String ticket) {

	/**
	 * The largest number of permits of one resource.
	 */
	public static final int MOST_PERMITS = 1_000;

	/**
	 * Checks each value of the request by itself. {@link Redlock#check} also checks
	 * whether the values fit each other and the {@link RedlockSettings}.
	 */
	public LockRequest {
		resources = sorted(resources);
		instances = Set.copyOf(instances);
		RedlockSettings.positive("ttl", ttl);
		RedlockSettings.notNegative("waitFor", waitFor);
		RedlockSettings.checkRetryCount("retryCount", retryCount);
		RedlockSettings.checkRetryDelay("retryDelay", retryDelay);
		RedlockSettings.checkDriftFactor("clockDriftFactor", clockDriftFactor);
		RedlockSettings.positive("maxHold", maxHold);
		RedlockSettings.notNegative("atLeast", atLeast);
		waitFor = (waitFor != null) ? RedlockSettings.longest(waitFor) : null;
		retryDelay = (retryDelay != null) ? RedlockSettings.longest(retryDelay) : null;
		maxHold = (maxHold != null) ? RedlockSettings.longest(maxHold) : null;
		if (origin != null && origin.isBlank()) {
			throw new IllegalArgumentException(
					"The origin of a lock request, which names the caller, must not be blank");
		}
		if (tick != null && resources.size() != 1) {
			throw new IllegalArgumentException(
					"A request for one run of a job (withTick) must have exactly one name, not " + resources);
		}
		checkPermits(permits, resources, tick);
		checkTicket(ticket, resources, instances, waitFor, tick, permits);
	}

	/**
	 * Creates a request for one or more resources, with the defaults for everything else.
	 */
	public static LockRequest of(String... resources) {
		return new LockRequest(Arrays.asList(resources), null, null, null, null, null, Set.of(), null, null,
				Duration.ZERO, LossPolicy.THROW, null, null, false, 0, false, null);
	}

	/**
	 * Creates a request that carries on a lease which {@link Lease#detach()} ended, in
	 * this process or another one. The names and the instances come from the ticket. The
	 * request makes one try and does not wait.
	 * <p>
	 * A ticket works once: of several requests with one ticket, at most one gets the
	 * lock. The new lease has a token, a ttl and a higher fence of its own, and no other
	 * owner had the lock in between. The request fails as
	 * {@link LockNotAcquiredException.Reason#TICKET_EXPIRED} if the lock is free, as
	 * {@code HELD} if another owner has the lock, and as {@code NO_QUORUM} if too few
	 * nodes can vote. A request that fails may end the lock; after {@code NO_QUORUM}, the
	 * ticket may still work.
	 * @throws IllegalArgumentException if the text is no ticket
	 */
	public static LockRequest succeeding(String ticket) {
		Ticket read = Ticket.parse(ticket);
		return new LockRequest(read.resources(), null, Duration.ZERO, null, null, null, Set.copyOf(read.nodes()), null,
				null, Duration.ZERO, LossPolicy.THROW, null, null, true, 0, false, ticket);
	}

	/**
	 * Returns a copy that locks other resources.
	 */
	public LockRequest withResources(List<String> resources) {
		return with((copy) -> copy.resources = resources);
	}

	/**
	 * Returns a copy with another ttl, after which the nodes forget the lock.
	 */
	public LockRequest withTtl(@Nullable Duration ttl) {
		return with((copy) -> copy.ttl = ttl);
	}

	/**
	 * Returns a copy with another limit to the wait for the lock; zero for a single try.
	 */
	public LockRequest withWaitFor(@Nullable Duration waitFor) {
		return with((copy) -> copy.waitFor = waitFor);
	}

	/**
	 * Returns a copy with another limit to the number of retries; -1 for no limit.
	 */
	public LockRequest withRetryCount(@Nullable Integer retryCount) {
		return with((copy) -> copy.retryCount = retryCount);
	}

	/**
	 * Returns a copy with another maximum for the random delay between two tries.
	 */
	public LockRequest withRetryDelay(@Nullable Duration retryDelay) {
		return with((copy) -> copy.retryDelay = retryDelay);
	}

	/**
	 * Returns a copy with another share of the ttl that is subtracted from the validity
	 * for clock drift.
	 */
	public LockRequest withClockDriftFactor(@Nullable Double clockDriftFactor) {
		return with((copy) -> copy.clockDriftFactor = clockDriftFactor);
	}

	/**
	 * Returns a copy for which only the named nodes vote. All processes that lock the
	 * same resource must choose the same nodes.
	 */
	public LockRequest withInstances(String... instances) {
		return with((copy) -> copy.instances = Set.copyOf(Arrays.asList(instances)));
	}

	/**
	 * Returns a copy with or without renewal. A lease of {@link Redlock#attemptAndWait}
	 * is renewed only while the calling thread lives.
	 */
	public LockRequest withRenew(@Nullable Boolean renew) {
		return with((copy) -> copy.renew = renew);
	}

	/**
	 * Returns a copy with a limit to the time for which the lease is held, counted from
	 * its acquisition. Renewal stops after this time, and {@link Lease#extend} returns
	 * false if the lease would be held for longer.
	 */
	public LockRequest withMaxHold(@Nullable Duration maxHold) {
		return with((copy) -> copy.maxHold = maxHold);
	}

	/**
	 * Returns a copy whose lock is kept on the nodes for a minimum time, even if it is
	 * released earlier. The minimum time does not apply to a nested call on resources
	 * that are already locked.
	 */
	public LockRequest withAtLeast(Duration atLeast) {
		return with((copy) -> copy.atLeast = atLeast);
	}

	/**
	 * Returns a copy with another reaction to the loss of the lease.
	 */
	public LockRequest withOnLoss(LossPolicy onLoss) {
		return with((copy) -> copy.onLoss = onLoss);
	}

	/**
	 * Returns a copy that names its caller. The origin becomes a tag of metrics and
	 * spans, so it must not depend on the locked resource.
	 */
	public LockRequest withOrigin(@Nullable String origin) {
		return with((copy) -> copy.origin = origin);
	}

	/**
	 * Returns a copy for one tick (due time) of a job. The lock is refused
	 * ({@link LockNotAcquiredException.Reason#TICK_TAKEN}) if the nodes have recorded a
	 * run of the job for this tick or a later tick. The run is recorded when the lock is
	 * granted or, with {@link Tick#rerun()}, when the valid lease is closed.
	 */
	public LockRequest withTick(@Nullable Tick tick) {
		return with((copy) -> copy.tick = tick);
	}

	/**
	 * Returns a copy that waits, before it fails, until the reason for its failure is
	 * certain. The wait for the missing answers of the nodes takes at most the node
	 * timeout.
	 */
	public LockRequest withAwaitReason(boolean awaitReason) {
		return with((copy) -> copy.awaitReason = awaitReason);
	}

	/**
	 * Returns a copy that asks for a semaphore permit of the resource instead of an
	 * exclusive lock. Each permit is a lock of its own, without a fence. All clients must
	 * use the same number of permits for a name, and no client may lock the name without
	 * permits.
	 * @param permits the number of permits, from 1 to {@link #MOST_PERMITS}, or 0 for an
	 * exclusive lock
	 */
	public LockRequest withPermits(int permits) {
		return with((copy) -> copy.permits = permits);
	}

	/**
	 * Returns a copy that stands by for its lock while no caller waits for the lock, such
	 * as the request of a candidate for a leader's role. A request that stands by is no
	 * waiter ({@link Redlock#waiters()}), and its time is not measured.
	 */
	public LockRequest withStandby(boolean standby) {
		return with((copy) -> copy.standby = standby);
	}

	private static void checkPermits(int permits, List<String> resources, @Nullable Tick tick) {
		if (permits < 0 || permits > MOST_PERMITS) {
			throw new IllegalArgumentException("permits must be a number from 1 to " + MOST_PERMITS
					+ ", or 0 for a lock without permits, not " + permits);
		}
		if (permits > 0 && resources.size() > 1) {
			throw new IllegalArgumentException("A request with permits must have exactly one name, not " + resources
					+ ". Make one request for each name.");
		}
		if (permits > 0 && tick != null) {
			throw new IllegalArgumentException(
					"A request for one run of a job (withTick) cannot have permits. Remove the permits for " + resources
							+ ".");
		}
	}

	private static void checkTicket(@Nullable String ticket, List<String> resources, Set<String> instances,
			@Nullable Duration waitFor, @Nullable Tick tick, int permits) {
		if (ticket == null) {
			return;
		}
		Ticket read = Ticket.parse(ticket);
		if (!resources.equals(read.resources()) || !instances.equals(Set.copyOf(read.nodes()))) {
			throw new IllegalArgumentException("The names and the instances of a request that succeeds " + resources
					+ " come from its ticket. Leave out withResources and withInstances.");
		}
		if (tick != null || permits > 0 || !Duration.ZERO.equals(waitFor)) {
			throw new IllegalArgumentException("A request with a ticket makes one try for an exclusive lock. Leave out "
					+ "withWaitFor, withTick and withPermits for " + resources + ".");
		}
	}

	/**
	 * Shows all values except the ticket, which is a secret.
	 */
	@Override
	public String toString() {
		return "LockRequest[resources=" + this.resources + ", ttl=" + this.ttl + ", waitFor=" + this.waitFor
				+ ", retryCount=" + this.retryCount + ", retryDelay=" + this.retryDelay + ", clockDriftFactor="
				+ this.clockDriftFactor + ", instances=" + this.instances + ", renew=" + this.renew + ", maxHold="
				+ this.maxHold + ", atLeast=" + this.atLeast + ", onLoss=" + this.onLoss + ", origin=" + this.origin
				+ ", tick=" + this.tick + ", awaitReason=" + this.awaitReason + ", permits=" + this.permits
				+ ", standby=" + this.standby + ((this.ticket != null) ? ", with a ticket]" : "]");
	}

	private LockRequest with(Consumer<Copy> change) {
		Copy copy = new Copy();
		change.accept(copy);
		return new LockRequest(copy.resources, copy.ttl, copy.waitFor, copy.retryCount, copy.retryDelay,
				copy.clockDriftFactor, copy.instances, copy.renew, copy.maxHold, copy.atLeast, copy.onLoss, copy.origin,
				copy.tick, copy.awaitReason, copy.permits, copy.standby, this.ticket);
	}

	private static List<String> sorted(List<String> resources) {
		if (resources.size() == 1 && resources.get(0) != null && !resources.get(0).isBlank()) {
			return List.of(SafeNames.of(resources.get(0)));
		}
		if (resources.isEmpty()) {
			throw new IllegalArgumentException("Name at least one resource to lock");
		}
		for (String resource : resources) {
			if (resource == null || resource.isBlank()) {
				throw new IllegalArgumentException(
						"The name of a resource to lock must not be blank. Got " + resources);
			}
		}
		return List.copyOf(resources.stream().map(SafeNames::of).collect(Collectors.toCollection(TreeSet::new)));
	}

	private final class Copy {

		private List<String> resources = LockRequest.this.resources;

		private @Nullable Duration ttl = LockRequest.this.ttl;

		private @Nullable Duration waitFor = LockRequest.this.waitFor;

		private @Nullable Integer retryCount = LockRequest.this.retryCount;

		private @Nullable Duration retryDelay = LockRequest.this.retryDelay;

		private @Nullable Double clockDriftFactor = LockRequest.this.clockDriftFactor;

		private Set<String> instances = LockRequest.this.instances;

		private @Nullable Boolean renew = LockRequest.this.renew;

		private @Nullable Duration maxHold = LockRequest.this.maxHold;

		private Duration atLeast = LockRequest.this.atLeast;

		private LossPolicy onLoss = LockRequest.this.onLoss;

		private @Nullable String origin = LockRequest.this.origin;

		private @Nullable Tick tick = LockRequest.this.tick;

		private boolean awaitReason = LockRequest.this.awaitReason;

		private int permits = LockRequest.this.permits;

		private boolean standby = LockRequest.this.standby;

	}

}
