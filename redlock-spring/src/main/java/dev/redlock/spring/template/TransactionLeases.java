package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;

import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * The leases that the current thread may write under: the leases of its work, and the
 * leases of returned calls that its open transaction keeps. Use this class in code that
 * runs at the commit, such as the flush of an entity manager. Other code uses
 * {@link CurrentLease}.
 */
public final class TransactionLeases {

	private TransactionLeases() {
	}

	/**
	 * Makes the transactions of a manager record under which leases they begin. While
	 * such a transaction is suspended, no work re-enters these leases.
	 * @param manager the manager; a second call for the same manager does nothing
	 */
	public static void observe(ConfigurableTransactionManager manager) {
		TransactionHold.observe(manager);
	}

	/**
	 * Returns all leases that the current thread may write under.
	 * @return the leases of the work, the innermost first, followed by the leases of the
	 * transaction
	 */
	public static List<Lease> all() {
		return CallSite.ofThread().leases();
	}

	/**
	 * Returns the lease on a resource: the innermost lease of the work or, if the work
	 * has none, a lease that the transaction keeps.
	 * @param resource the name of the locked resource
	 * @return the lease, empty if neither the work nor the transaction has one
	 */
	public static Optional<Lease> forResource(String resource) {
		return find(all(), resource);
	}

	/**
	 * Returns the first of some leases that covers a resource.
	 * @param leases the leases
	 * @param resource the name of the locked resource
	 * @return the lease on this resource, empty if no lease covers it
	 */
	public static Optional<Lease> find(List<Lease> leases, String resource) {
		String name = LockRequest.of(resource).resources().get(0);
		return leases.stream()
			.filter((lease) -> lease.resources().contains(name))
			.findFirst()
			.map((lease) -> lease.forResource(name));
	}

}
