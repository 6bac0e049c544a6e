package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The leases that one transaction holds until it has completed, even after the locked
 * methods have returned. This class is thread-safe, because another thread may complete
 * the transaction.
 */
abstract class LeasesHeldByTransaction {

	/**
	 * Whether the library spring-tx is present. Without spring-tx, the subclasses of
	 * {@code LeasesHeldByTransaction} cannot be loaded.
	 */
	static final boolean SPRING_TX_PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LeasesHeldByTransaction.class.getClassLoader());

	/**
	 * The leases of the outer transaction, which is suspended or completing; null for no
	 * outer transaction.
	 */
	final @Nullable LeasesHeldByTransaction outer;

	private final List<HeldLease> held = new CopyOnWriteArrayList<>();

	/**
	 * The leases that are marked as having uncommitted writes while this transaction is
	 * suspended.
	 */
	private volatile List<BoundLease> suspended = List.of();

	LeasesHeldByTransaction(@Nullable LeasesHeldByTransaction outer) {
		this.outer = outer;
	}

	/**
	 * Makes the transaction hold a lease until it has completed, unless the lease is
	 * being released already. If calls with different loss policies use the lease, a
	 * policy other than {@code IGNORE} wins.
	 */
	void add(BoundLease lease, LossPolicy policy) {
		if (this.held.stream().anyMatch((each) -> each.lease() == lease)) {
			if (policy != LossPolicy.IGNORE) {
				this.held.replaceAll((each) -> (each.lease() == lease) ? new HeldLease(lease, policy) : each);
			}
		}
		else if (!lease.isClosed() && lease.retain()) {
			this.held.add(new HeldLease(lease, policy));
		}
	}

	/**
	 * Returns the leases that a transaction and its outer transactions hold.
	 * @param innermost the leases of the transaction; null for no transaction
	 */
	static List<BoundLease> leases(@Nullable LeasesHeldByTransaction innermost) {
		List<BoundLease> leases = new ArrayList<>();
		for (LeasesHeldByTransaction each = innermost; each != null; each = each.outer) {
			each.held.forEach((held) -> leases.add(held.lease()));
		}
		return leases;
	}

	/**
	 * Marks the leases of this transaction as having uncommitted writes while the
	 * transaction is suspended.
	 * @param uncommitted whether the transaction may have uncommitted writes; false marks
	 * no lease
	 */
	void suspend(boolean uncommitted) {
		this.suspended = uncommitted ? this.held.stream().map(HeldLease::lease).toList() : List.of();
		this.suspended.forEach(BoundLease::suspend);
	}

	void endSuspension() {
		this.suspended.forEach(BoundLease::resume);
	}

	/**
	 * Stops the commit of the transaction if one of its leases was lost, because the data
	 * may have been written without the lock.
	 * @throws LockLostException if a lease was lost whose loss policy is not
	 * {@code IGNORE}
	 */
	void requireValid() {
		for (HeldLease each : this.held) {
			each.lease().loss(each.policy()).ifPresent((reason) -> {
				throw BoundLease.lost(each.lease(), reason, leases(this));
			});
		}
	}

	/**
	 * Ends the transaction's hold on its leases.
	 * @param committed whether the transaction may have committed
	 * @return the leases to release, the last lease first
	 */
	List<BoundLease> end(boolean committed) {
		List<BoundLease> leases = new ArrayList<>();
		for (HeldLease each : this.held) {
			if (committed && each.policy() != LossPolicy.IGNORE) {
				// The commit can no longer be stopped, so a loss is only logged.
				each.lease().loss().ifPresent((reason) -> each.lease().logUnreportedLoss(reason, "During a commit"));
			}
			leases.add(each.lease());
		}
		this.held.clear();
		Collections.reverse(leases);
		return leases;
	}

	private record HeldLease(BoundLease lease, LossPolicy policy) {

	}

}
