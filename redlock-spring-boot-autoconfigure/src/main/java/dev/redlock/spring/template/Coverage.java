package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.Redlock;

/**
 * How much of a request the current thread holds already.
 *
 * @param outer the leases of this thread that the request needs
 * @param missing the resources that the thread does not hold
 */
record Coverage(List<BoundLease> outer, List<String> missing) {

	/**
	 * Looks at the leases of the current thread.
	 * @throws LockLostException if one that is needed is no longer valid: the thread
	 * believes that it holds a lock which may be somebody else's by now
	 */
	static Coverage of(LockRequest request, Redlock lock) {
		return of(request, lock, CurrentLease::forResource);
	}

	/**
	 * Looks at the leases that the caller knows of.
	 * @throws LockLostException if one that is needed is no longer valid
	 */
	static Coverage of(LockRequest request, Redlock lock, Function<String, Optional<Lease>> current) {
		Set<BoundLease> outer = new LinkedHashSet<>();
		List<String> missing = new ArrayList<>();
		for (String resource : SafeNames.of(request.resources())) {
			held(resource, lock, current).ifPresentOrElse(outer::add, () -> missing.add(resource));
		}
		outer.forEach(Coverage::requireValid);
		return new Coverage(List.copyOf(outer), List.copyOf(missing));
	}

	/**
	 * Keeps the leases for the work that is about to start under them. A lease whose last
	 * work has ended in this moment is released, so that the request needs its own.
	 */
	Coverage retained(LockRequest request) {
		List<BoundLease> kept = this.outer.stream().filter(BoundLease::retain).toList();
		if (kept.size() == this.outer.size()) {
			return this;
		}
		return new Coverage(kept,
				SafeNames.of(request.resources())
					.stream()
					.filter((resource) -> kept.stream().noneMatch((lease) -> lease.resources().contains(resource)))
					.toList());
	}

	boolean isComplete() {
		return this.missing.isEmpty();
	}

	NestedLease view() {
		return new NestedLease(this.outer);
	}

	/**
	 * The request for what the thread does not hold.
	 */
	LockRequest rest(LockRequest request) {
		return new LockRequest(this.missing, request.ttl(), request.waitFor(), request.retryCount(),
				request.retryDelay(), request.clockDriftFactor(), request.instances(), request.renew(),
				request.maxHold(), request.atLeast(), request.onLoss(), request.origin());
	}

	/**
	 * What the caller works under, or what the transaction of its thread keeps from work
	 * that has ended.
	 */
	private static Optional<BoundLease> held(String resource, Redlock lock, Function<String, Optional<Lease>> current) {
		Lease lease = current.apply(resource).orElse(null);
		if (lease instanceof BoundLease bound && bound.isOf(lock) && !bound.isClosed()) {
			return Optional.of(bound);
		}
		return Transactions.find(resource, lock);
	}

	private static void requireValid(BoundLease lease) {
		if (!lease.isValid()) {
			throw lease.loss().orElseGet(() -> new LockLostException(lease.resources(), LossReason.EXPIRED));
		}
	}

}
