package dev.redlock.spring.internal.work;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.lease.NestedLease;
import dev.redlock.spring.internal.transaction.OpenTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The leases and the open transaction that surround a call of a template or of a locked
 * method.
 *
 * @param unseen the leases around the transaction of a reactive flow that only the thread
 * has
 */
public record CallSite(List<Lease> current, OpenTransaction transaction, List<GrantedLease> unseen) {

	public static final CallSite EMPTY = new CallSite(List.of(), OpenTransaction.NONE, List.of());

	public static CallSite ofThread() {
		return new CallSite(CurrentLease.all(), OpenTransaction.ofThread(), List.of());
	}

	/**
	 * Among the leases on a resource, returns the innermost one that a nested call can
	 * re-enter.
	 */
	Optional<BoundLease> reEntrable(String resource, Redlock lock) {
		return LeaseView.bound(leases())
			.filter((lease) -> lease.granted().isOf(lock) && !lease.isClosed() && lease.resources().contains(resource))
			.findFirst();
	}

	/**
	 * Creates the leases of a nested call: one lease for each outer lease on any of the
	 * resources.
	 */
	List<NestedLease> nestedLeases(List<String> resources, Redlock lock) {
		if (leases().isEmpty()) {
			return List.of();
		}
		Map<BoundLease, Set<String>> names = new LinkedHashMap<>();
		for (String resource : resources) {
			reEntrable(resource, lock)
				.ifPresent((lease) -> names.computeIfAbsent(lease, (absent) -> new TreeSet<>()).add(resource));
		}
		return names.entrySet().stream().map((nested) -> new NestedLease(nested.getKey(), nested.getValue())).toList();
	}

	/**
	 * Returns the locked names under which open transactions may have uncommitted writes.
	 */
	Set<String> uncommittedNames(@Nullable Redlock lock) {
		Set<String> names = new TreeSet<>();
		LeaseView.bound(this.transaction.writing() ? leases() : heldByTx())
			.filter((lease) -> lease.granted().isOf(lock) && !lease.isClosed())
			.forEach((lease) -> names.addAll(lease.resources()));
		return names;
	}

	/**
	 * Fails if a lease is no longer valid, so that another process may have the lock.
	 */
	void requireValid(BoundLease lease) {
		if (!lease.isValid()) {
			throw BoundLease.lossException(lease, lease.lossReason().orElse(LossReason.EXPIRED), leases());
		}
	}

	/**
	 * Returns all leases that allow the call to write: leases of outer calls, and leases
	 * that open transactions hold.
	 */
	public List<Lease> leases() {
		return heldByTx().isEmpty() ? this.current
				: Stream.concat(this.current.stream(), heldByTx().stream().filter((lease) -> !isCurrent(lease)))
					.toList();
	}

	List<GrantedLease> heldByTx() {
		return this.transaction.leases();
	}

	private boolean isCurrent(GrantedLease lease) {
		return LeaseView.bound(this.current)
			.anyMatch((each) -> each.granted() == lease && each.resources().equals(lease.resources()));
	}

}
