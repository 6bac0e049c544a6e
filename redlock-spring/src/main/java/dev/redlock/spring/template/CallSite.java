package dev.redlock.spring.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

/**
 * The leases and the open transaction in which a template call or a call of a locked
 * method begins.
 *
 * @param current the leases of outer calls, the innermost first
 * @param kept the leases that open transactions hold until they have completed
 * @param inTransaction whether the call begins inside of an open transaction
 * @param writing whether the open transaction may have written; false if it is read-only
 */
record CallSite(List<Lease> current, List<BoundLease> kept, boolean inTransaction, boolean writing) {

	static final CallSite NOWHERE = new CallSite(List.of(), List.of(), false, false);

	/**
	 * Returns the leases and the transaction in which the current thread is.
	 */
	static CallSite ofThread() {
		List<Lease> current = CurrentLease.all();
		return LeasesHeldByTransaction.SPRING_TX_PRESENT
				? new CallSite(current, TransactionHold.leases(), TransactionHold.isOpen(), TransactionHold.isWriting())
				: new CallSite(current, List.of(), false, false);
	}

	/**
	 * Returns the innermost lease that covers a resource and that a nested call can
	 * re-enter.
	 */
	Optional<BoundLease> held(String resource, Redlock lock) {
		return LeaseView.bound(leases())
			.filter((lease) -> lease.isOf(lock) && !lease.isClosed() && lease.resources().contains(resource))
			.findFirst();
	}

	/**
	 * Creates the nested leases by which a call on some resources re-enters its outer
	 * leases. Each nested lease has those of the call's names that its outer lease
	 * covers.
	 */
	List<BoundLease> parts(List<String> resources, Redlock lock) {
		if (leases().isEmpty()) {
			return List.of();
		}
		Map<BoundLease, Set<String>> names = new LinkedHashMap<>();
		for (String resource : resources) {
			held(resource, lock)
				.ifPresent((lease) -> names.computeIfAbsent(lease, (absent) -> new TreeSet<>()).add(resource));
		}
		return names.entrySet().stream().map((part) -> new BoundLease(part.getKey(), part.getValue())).toList();
	}

	/**
	 * Returns the locked names under which open transactions around the call may have
	 * uncommitted writes.
	 * @param lock the {@code Redlock} that granted the leases of these names
	 */
	Set<String> uncommitted(@Nullable Redlock lock) {
		Set<String> names = new TreeSet<>();
		LeaseView.bound(this.writing ? leases() : this.kept)
			.filter((lease) -> lease.isOf(lock) && !lease.isClosed())
			.forEach((lease) -> names.addAll(lease.resources()));
		return names;
	}

	/**
	 * Returns all leases that allow the call to write: the leases of outer calls, and the
	 * leases that open transactions hold. A lease that is in both groups is returned
	 * once.
	 */
	List<Lease> leases() {
		return this.kept.isEmpty() ? this.current
				: Stream.concat(this.current.stream(), this.kept.stream().filter((lease) -> !isCurrent(lease)))
					.toList();
	}

	private boolean isCurrent(BoundLease lease) {
		return LeaseView.bound(this.current)
			.anyMatch((each) -> each.granted() == lease && each.resources().equals(lease.resources()));
	}

}
