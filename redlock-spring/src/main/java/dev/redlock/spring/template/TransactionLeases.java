package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.spring.internal.lease.LeaseView;
import dev.redlock.spring.internal.transaction.TransactionHold;
import dev.redlock.spring.internal.work.CallSite;

import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Finds the leases that allow the current thread to write: the leases of running locked
 * methods, and the leases of ended methods that the open transaction still holds. At the
 * commit, such as in the flush of an entity manager, use {@code TransactionLeases};
 * elsewhere use {@link CurrentLease}.
 */
public final class TransactionLeases {

	private TransactionLeases() {
	}

	/**
	 * Makes the transactions of a transaction manager record the leases that the thread
	 * has when a transaction begins. While a transaction is suspended, calls in other
	 * transactions cannot re-enter the leases that the suspended transaction has
	 * recorded.
	 * @param manager the transaction manager to observe; a second call for the same
	 * manager does nothing
	 */
	public static void observe(ConfigurableTransactionManager manager) {
		TransactionHold.observe(manager);
	}

	/**
	 * Returns all leases that allow the current thread to write.
	 * @return the leases of running locked methods, the innermost first, followed by the
	 * leases that the open transaction holds
	 */
	public static List<Lease> all() {
		return CallSite.ofThread().leases();
	}

	/**
	 * Returns the lease that allows the current thread to write data of a resource.
	 * @param resource the name of the locked resource
	 * @return the innermost lease on the resource; empty if neither a running method nor
	 * the transaction has one
	 */
	public static Optional<Lease> forResource(String resource) {
		return find(all(), resource);
	}

	/**
	 * Returns the lease that allows the current thread to write data of a resource.
	 * @param resource the name of the locked resource
	 * @return the innermost lease on the resource
	 * @throws IllegalStateException if neither a running method nor the transaction has a
	 * lease on the resource
	 */
	public static Lease require(String resource) {
		return forResource(resource).orElseGet(() -> CurrentLease.require(resource));
	}

	/**
	 * Returns the first lease in a list that covers a resource.
	 * @param resource the name of the locked resource, or the name from the annotation of
	 * a locked method whose names a {@code ResourceNameResolver} has changed
	 * @return the lease on the resource; empty if no lease in the list covers the
	 * resource
	 */
	public static Optional<Lease> find(List<Lease> leases, String resource) {
		String name = LockRequest.of(resource).resources().get(0);
		return leases.stream()
			.flatMap((lease) -> lockedAs(lease, name).filter(lease.resources()::contains)
				.limit(1)
				.map(lease::forResource))
			.findFirst();
	}

	/**
	 * Tells the current lease how the names of the locked method's annotation were
	 * changed, so that code which knows only those names finds the lease.
	 * @param resolver returns the locked names for names of the annotation
	 */
	public static void resolveNames(UnaryOperator<List<String>> resolver) {
		LeaseView.bound(CurrentLease.get().stream().toList()).forEach((bound) -> bound.resolveNames(resolver));
	}

	private static Stream<String> lockedAs(Lease lease, String name) {
		return Stream.concat(Stream.of(name),
				LeaseView.bound(List.of(lease)).limit(1).flatMap((bound) -> bound.resolved(name)));
	}

}
