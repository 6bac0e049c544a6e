package dev.redlock.spring.template;

import java.util.Optional;

import dev.redlock.LossPolicy;
import dev.redlock.Redlock;

import org.springframework.util.ClassUtils;

/**
 * The way to the transaction of the current thread. Loads without spring-tx, and then
 * there never is one.
 */
final class Transactions {

	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			Transactions.class.getClassLoader());

	private Transactions() {
	}

	static boolean isPresent() {
		return PRESENT;
	}

	/**
	 * Leaves the release of a lease to the transaction, if there is one: others must not
	 * get the lock before they can see what was written under it.
	 * @param lease the lease; one piece of its work ends with the transaction
	 * @param policy what a loss before the commit means
	 * @return false if there is no transaction, and the caller releases
	 */
	static boolean keep(BoundLease lease, LossPolicy policy) {
		return PRESENT && !lease.isClosed() && TransactionHold.keep(lease, policy);
	}

	/**
	 * The lease that the current transaction, or one that it has suspended, keeps for a
	 * resource.
	 */
	static Optional<BoundLease> find(String resource, Redlock lock) {
		return PRESENT ? TransactionHold.find(resource, lock) : Optional.empty();
	}

}
