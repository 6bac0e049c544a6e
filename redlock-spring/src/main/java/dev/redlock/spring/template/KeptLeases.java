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
 * The leases that one transaction keeps after their work has ended, until the transaction
 * has completed. This class is thread-safe, because another thread may complete the
 * transaction.
 */
abstract class KeptLeases {

	/**
	 * Whether spring-tx is present. Without spring-tx, the subclasses cannot be loaded.
	 */
	static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			KeptLeases.class.getClassLoader());

	/**
	 * The leases that the outer transaction keeps, which is suspended or completing.
	 */
	final @Nullable KeptLeases outer;

	private final List<Kept> kept = new CopyOnWriteArrayList<>();

	/** The leases that are marked as uncommitted while the transaction is suspended. */
	private volatile List<BoundLease> suspended = List.of();

	KeptLeases(@Nullable KeptLeases outer) {
		this.outer = outer;
	}

	/**
	 * Keeps a lease for the transaction, unless the lease is being released. The
	 * strictest policy of all calls in the transaction counts.
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
	 * Returns the leases of a transaction and of its outer transactions.
	 */
	static List<BoundLease> leases(@Nullable KeptLeases innermost) {
		List<BoundLease> leases = new ArrayList<>();
		for (KeptLeases each = innermost; each != null; each = each.outer) {
			each.kept.forEach((kept) -> leases.add(kept.lease()));
		}
		return leases;
	}

	/**
	 * Marks the leases as uncommitted while the transaction is suspended.
	 * @param uncommitted whether the transaction may have uncommitted writes
	 */
	void suspend(boolean uncommitted) {
		this.suspended = uncommitted ? this.kept.stream().map(Kept::lease).toList() : List.of();
		this.suspended.forEach(BoundLease::suspend);
	}

	void endSuspension() {
		this.suspended.forEach(BoundLease::resume);
	}

	/**
	 * Stops a commit of data that was written without the lock.
	 * @throws LockLostException if a lease was lost, unless its policy ignores losses
	 */
	void requireValid() {
		for (Kept each : this.kept) {
			each.lease().loss(each.policy()).ifPresent((reason) -> {
				throw BoundLease.lost(each.lease(), reason, leases(this));
			});
		}
	}

	/**
	 * Stops keeping the leases, and returns them for their release, the last lease first.
	 * @param committed whether data that was written under the leases may be visible
	 */
	List<BoundLease> end(boolean committed) {
		List<BoundLease> leases = new ArrayList<>();
		for (Kept each : this.kept) {
			if (committed && each.policy() != LossPolicy.IGNORE) {
				// The transaction can no longer be stopped.
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
