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
abstract class KeptLeases {

	/**
	 * Whether the library spring-tx is present. Without spring-tx, the subclasses of
	 * {@code KeptLeases} cannot be loaded.
	 */
	static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			KeptLeases.class.getClassLoader());

	/**
	 * The leases of the outer transaction, which is suspended or completing; null for no
	 * outer transaction.
	 */
	final @Nullable KeptLeases outer;

	private final List<Kept> kept = new CopyOnWriteArrayList<>();

	/**
	 * The leases that are marked as having uncommitted writes while this transaction is
	 * suspended.
	 */
	private volatile List<BoundLease> suspended = List.of();

	KeptLeases(@Nullable KeptLeases outer) {
		this.outer = outer;
	}

	/**
	 * Makes the transaction hold a lease until it has completed, unless the lease is
	 * being released already. If calls with different loss policies use the lease, a
	 * policy other than {@code IGNORE} wins.
	 */
	void add(BoundLease lease, LossPolicy policy) {
		if (this.kept.stream().anyMatch((each) -> each.lease() == lease)) {
			if (policy != LossPolicy.IGNORE) {
				this.kept.replaceAll((each) -> (each.lease() == lease) ? new Kept(lease, policy) : each);
			}
		}
		else if (!lease.isClosed() && lease.retain()) {
			this.kept.add(new Kept(lease, policy));
		}
	}

	/**
	 * Returns the leases that a transaction and its outer transactions hold.
	 * @param innermost the leases of the transaction; null for no transaction
	 */
	static List<BoundLease> leases(@Nullable KeptLeases innermost) {
		List<BoundLease> leases = new ArrayList<>();
		for (KeptLeases each = innermost; each != null; each = each.outer) {
			each.kept.forEach((kept) -> leases.add(kept.lease()));
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
		this.suspended = uncommitted ? this.kept.stream().map(Kept::lease).toList() : List.of();
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
		for (Kept each : this.kept) {
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
		for (Kept each : this.kept) {
			if (committed && each.policy() != LossPolicy.IGNORE) {
				// The commit can no longer be stopped, so a loss is only logged.
				each.lease().loss().ifPresent((reason) -> each.lease().logUntold(reason, "During a commit"));
			}
			leases.add(each.lease());
		}
		this.kept.clear();
		Collections.reverse(leases);
		return leases;
	}

	private record Kept(BoundLease lease, LossPolicy policy) {

	}

}
