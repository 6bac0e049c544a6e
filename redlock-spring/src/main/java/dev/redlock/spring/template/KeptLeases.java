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
 * The leases of one transaction: their work has ended, and they are kept until the
 * transaction has completed. Thread-safe, because another thread may complete the
 * transaction.
 */
abstract class KeptLeases {

	/**
	 * Whether spring-tx is present. Without it the subclasses cannot be loaded.
	 */
	static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			KeptLeases.class.getClassLoader());

	/**
	 * The kept leases of the transaction that is suspended, or that completes, around
	 * this one.
	 */
	final @Nullable KeptLeases outer;

	private final List<Kept> kept = new CopyOnWriteArrayList<>();

	KeptLeases(@Nullable KeptLeases outer) {
		this.outer = outer;
	}

	/**
	 * Keeps a lease. The strictest policy of all calls in the transaction counts.
	 * @return false if the lease is kept already
	 */
	boolean add(BoundLease lease, LossPolicy policy) {
		if (this.kept.stream().noneMatch((each) -> each.lease() == lease)) {
			return this.kept.add(new Kept(lease, policy));
		}
		if (policy != LossPolicy.IGNORE) {
			this.kept.replaceAll((each) -> (each.lease() == lease) ? new Kept(lease, policy) : each);
		}
		return false;
	}

	/**
	 * The leases of a transaction and of those around it.
	 */
	static List<BoundLease> leases(@Nullable KeptLeases innermost) {
		List<BoundLease> leases = new ArrayList<>();
		for (KeptLeases each = innermost; each != null; each = each.outer) {
			each.kept.forEach((kept) -> leases.add(kept.lease()));
		}
		return leases;
	}

	/**
	 * Stops a commit of data that was written without the lock.
	 * @throws LockLostException if a lease was lost and its policy is not to ignore that
	 */
	void requireValid() {
		for (Kept each : this.kept) {
			each.lease().loss(each.policy()).ifPresent((loss) -> {
				throw loss;
			});
		}
	}

	/**
	 * Ends the hold, and returns the leases to release, the last one first.
	 * @param committed whether data that was written under the leases may be visible
	 */
	List<BoundLease> end(boolean committed) {
		List<BoundLease> leases = new ArrayList<>();
		for (Kept each : this.kept) {
			if (committed && each.policy() != LossPolicy.IGNORE) {
				// The transaction cannot be stopped any more.
				each.lease().loss().ifPresent((loss) -> each.lease().logUntold(loss, "During a commit"));
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
