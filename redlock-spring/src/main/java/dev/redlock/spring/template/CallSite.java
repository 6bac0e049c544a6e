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
 * The leases and the transaction around a call that locks.
 *
 * @param current the leases of outer work, the innermost first
 * @param kept the leases that the outer transactions keep
 * @param inTransaction whether the call is inside of an open transaction
 * @param writing whether that transaction may have written
 */
record CallSite(List<Lease> current, List<BoundLease> kept, boolean inTransaction, boolean writing) {

	static final CallSite NOWHERE = new CallSite(List.of(), List.of(), false, false);

	/**
	 * Returns the leases and the transaction around a call of this thread.
	 */
	static CallSite ofThread() {
		List<Lease> current = CurrentLease.all();
		return KeptLeases.TRANSACTIONS
				? new CallSite(current, TransactionHold.leases(), TransactionHold.isOpen(), TransactionHold.isWriting())
				: new CallSite(current, List.of(), false, false);
	}

	/**
	 * Returns the innermost lease of a lock that covers a resource, for work that
	 * re-enters this lease.
	 */
	Optional<BoundLease> held(String resource, Redlock lock) {
		return LeaseView.bound(leases())
			.filter((lease) -> lease.isOf(lock) && !lease.isClosed() && lease.resources().contains(resource))
			.findFirst();
	}

	/**
	 * Returns a part of each lease that work on some resources re-enters, with the names
	 * for which it does.
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
	 * Returns the names of a lock under which an open transaction around the call has
	 * written, or may have.
	 */
	Set<String> uncommitted(@Nullable Redlock lock) {
		Set<String> names = new TreeSet<>();
		LeaseView.bound(this.writing ? leases() : this.kept)
			.filter((lease) -> lease.isOf(lock) && !lease.isClosed())
			.forEach((lease) -> names.addAll(lease.resources()));
		return names;
	}

	/**
	 * Returns the leases that the call may write under. A transaction also keeps the
	 * leases of outer work that runs inside of the transaction.
	 */
	List<Lease> leases() {
		return this.kept.isEmpty() ? this.current
				: Stream.concat(this.current.stream(), this.kept.stream().filter((lease) -> !isCurrent(lease)))
					.toList();
	}

	private boolean isCurrent(BoundLease lease) {
		return LeaseView.bound(this.current)
			.anyMatch((each) -> each.root() == lease && each.resources().equals(lease.resources()));
	}

}
