package dev.redlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * What to lock, and how. Whatever is null is taken from the {@link RedlockSettings}.
 *
 * @param resources the names to lock, all or nothing; kept sorted
 * @param ttl the time after which the nodes forget the lock
 * @param waitFor how long to wait for the lock; zero is one attempt
 * @param retryCount at most so many retries while waiting; -1 for no limit
 * @param retryDelay the upper end of the random delay between tries; the lower end is
 * half of it; at least 1 ms
 * @param clockDriftFactor the share of the ttl that is given to clock drift
 * @param instances the names of the nodes that vote; empty for all of them
 * @param renew whether the lease is renewed until it is released
 * @param maxHold renewal stops after this much time in total
 * @param atLeast the lock is kept for at least this long, even if it is released earlier
 * @param onLoss what happens to the work when the lease is lost
 * @param origin who asks, for people and their dashboards: a short text that is the same
 * for many requests, such as the name of a method; null for code that did not say
 */
public record LockRequest(List<String> resources, @Nullable Duration ttl, @Nullable Duration waitFor,
		@Nullable Integer retryCount, @Nullable Duration retryDelay, @Nullable Double clockDriftFactor,
		Set<String> instances, @Nullable Boolean renew, @Nullable Duration maxHold, Duration atLeast, LossPolicy onLoss,
		@Nullable String origin) {

	/**
	 * Checks each value by itself; what they mean together is checked against the
	 * settings when the lock is asked for.
	 */
	public LockRequest {
		resources = sorted(resources);
		instances = Set.copyOf(instances);
		positive("ttl", ttl);
		notNegative("waitFor", waitFor);
		RedlockSettings.checkRetryDelay("retryDelay", retryDelay);
		positive("maxHold", maxHold);
		notNegative("atLeast", atLeast);
		waitFor = (waitFor != null) ? RedlockSettings.longest(waitFor) : null;
		maxHold = (maxHold != null) ? RedlockSettings.longest(maxHold) : null;
		if (origin != null && origin.isBlank()) {
			throw new IllegalArgumentException("origin names who asks, or is null; it must not be blank");
		}
		if (retryCount != null && retryCount < -1) {
			throw new IllegalArgumentException("retryCount is -1 for no limit, 0, or more, not " + retryCount);
		}
		if (clockDriftFactor != null && !(clockDriftFactor >= 0 && clockDriftFactor < 1)) {
			throw new IllegalArgumentException(
					"clockDriftFactor is a share from 0 to below 1, not " + clockDriftFactor);
		}
	}

	/**
	 * A request for one or more resources, with the defaults for everything else.
	 * @param resources the names to lock, all or nothing
	 * @return the request
	 */
	public static LockRequest of(String... resources) {
		return new LockRequest(Arrays.asList(resources), null, null, null, null, null, Set.of(), null, null,
				Duration.ZERO, LossPolicy.THROW, null);
	}

	/**
	 * With another ttl.
	 * @param ttl the time after which the nodes forget the lock
	 * @return the request
	 */
	public LockRequest withTtl(@Nullable Duration ttl) {
		return new LockRequest(this.resources, ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss,
				this.origin);
	}

	/**
	 * With another time to wait.
	 * @param waitFor how long to wait for the lock; zero is one attempt
	 * @return the request
	 */
	public LockRequest withWaitFor(@Nullable Duration waitFor) {
		return new LockRequest(this.resources, this.ttl, waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss,
				this.origin);
	}

	/**
	 * With another number of retries.
	 * @param retryCount at most so many retries while waiting; -1 for no limit
	 * @return the request
	 */
	public LockRequest withRetryCount(@Nullable Integer retryCount) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss,
				this.origin);
	}

	/**
	 * With another delay between tries.
	 * @param retryDelay the upper end of the random delay; the lower end is half of it
	 * @return the request
	 */
	public LockRequest withRetryDelay(@Nullable Duration retryDelay) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss,
				this.origin);
	}

	/**
	 * With another allowance for clock drift.
	 * @param clockDriftFactor the share of the ttl that is given to drift
	 * @return the request
	 */
	public LockRequest withClockDriftFactor(@Nullable Double clockDriftFactor) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss, this.origin);
	}

	/**
	 * With a choice of nodes. All who lock the same resource must choose the same.
	 * @param instances the names of the nodes that vote; none for all of them
	 * @return the request
	 */
	public LockRequest withInstances(String... instances) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, Set.copyOf(Arrays.asList(instances)), this.renew, this.maxHold, this.atLeast,
				this.onLoss, this.origin);
	}

	/**
	 * With or without renewal. Renewal ends with the thread that acquired the lease, so
	 * that a lease which nobody closes ends as well; a lease that was acquired without
	 * blocking has no such thread.
	 * @param renew whether the lease is renewed until it is released
	 * @return the request
	 */
	public LockRequest withRenew(@Nullable Boolean renew) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, renew, this.maxHold, this.atLeast, this.onLoss, this.origin);
	}

	/**
	 * With another limit to renewal.
	 * @param maxHold renewal stops after this much time in total
	 * @return the request
	 */
	public LockRequest withMaxHold(@Nullable Duration maxHold) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, maxHold, this.atLeast, this.onLoss, this.origin);
	}

	/**
	 * With a time for which the lock is kept even if it is released earlier.
	 * @param atLeast the time since the lock was acquired
	 * @return the request
	 */
	public LockRequest withAtLeast(Duration atLeast) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, atLeast, this.onLoss, this.origin);
	}

	/**
	 * With another consequence of a loss.
	 * @param onLoss what happens to the work when the lease is lost
	 * @return the request
	 */
	public LockRequest withOnLoss(LossPolicy onLoss) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, onLoss, this.origin);
	}

	/**
	 * With the name of who asks. Metrics and spans are told apart by it, so it must not
	 * depend on what is locked.
	 * @param origin a short text that is the same for many requests
	 * @return the request
	 */
	public LockRequest withOrigin(@Nullable String origin) {
		return new LockRequest(this.resources, this.ttl, this.waitFor, this.retryCount, this.retryDelay,
				this.clockDriftFactor, this.instances, this.renew, this.maxHold, this.atLeast, this.onLoss, origin);
	}

	private static List<String> sorted(List<String> resources) {
		if (resources.size() == 1 && resources.get(0) != null && !resources.get(0).isBlank()) {
			return List.of(resources.get(0));
		}
		TreeSet<String> names = new TreeSet<>();
		for (String resource : resources) {
			if (resource == null || resource.isBlank()) {
				throw new IllegalArgumentException(
						"A resource is the name of what is locked; it must not be blank. Got " + resources);
			}
			names.add(resource);
		}
		if (names.isEmpty()) {
			throw new IllegalArgumentException("Name at least one resource to lock");
		}
		return List.copyOf(names);
	}

	private static void positive(String name, @Nullable Duration value) {
		if (value != null && (value.isNegative() || value.isZero())) {
			throw new IllegalArgumentException(name + " must be more than zero, not " + value);
		}
	}

	private static void notNegative(String name, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			throw new IllegalArgumentException(name + " must be zero or more, not " + value);
		}
	}

}
