package dev.redlock.spring.internal.transaction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.LossPolicy;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The leases that one transaction holds until it has completed, even after the locked
 * methods have returned. This class is thread-safe, because another thread may complete
 * the transaction.
 */
public abstract class LeasesHeldByTransaction {

	/**
	 * Without the library spring-tx, the subclasses of {@code LeasesHeldByTransaction}
	 * cannot be loaded.
	 */
	public static final boolean SPRING_TX_PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LeasesHeldByTransaction.class.getClassLoader());

	/**
	 * The leases of the outer transaction, which is suspended or completing; null for no
	 * outer transaction.
	 */
	final @Nullable LeasesHeldByTransaction outer;

	private final List<HeldLease> held = new CopyOnWriteArrayList<>();

	/**
	 * The leases of calls around the transaction, which release these leases themselves.
	 */
	private volatile List<GrantedLease> around = List.of();

	volatile Phase phase = Phase.OPEN;

	LeasesHeldByTransaction(@Nullable LeasesHeldByTransaction outer) {
		this.outer = outer;
	}

	/**
	 * Returns what finds the open transaction of a thread that detaches a lease.
	 */
	public static Function<GrantedLease, @Nullable Runnable> keeper() {
		return SPRING_TX_PRESENT ? TransactionHold::keeper : (lease) -> null;
	}

	/**
	 * If calls with different loss policies share a lease, a policy other than
	 * {@code IGNORE} wins.
	 */
	void add(GrantedLease lease, LossPolicy policy) {
		if (this.held.stream().anyMatch((each) -> each.lease() == lease)) {
			if (policy != LossPolicy.IGNORE) {
				this.held.replaceAll((each) -> (each.lease() == lease) ? new HeldLease(lease, policy) : each);
			}
		}
		else if (!lease.isClosed() && lease.addUse()) {
			this.held.add(new HeldLease(lease, policy));
		}
	}

	void surround(List<GrantedLease> leases) {
		this.around = leases;
	}

	static List<GrantedLease> leases(@Nullable LeasesHeldByTransaction innermost) {
		List<GrantedLease> leases = new ArrayList<>();
		for (LeasesHeldByTransaction each = innermost; each != null; each = each.outer) {
			each.held.forEach((held) -> leases.add(held.lease()));
		}
		return leases;
	}

	/**
	 * Lets no other transaction re-enter the leases of this transaction if it may have
	 * uncommitted writes, because the other one would not see them.
	 */
	void suspendWrites(boolean uncommitted) {
		if (uncommitted) {
			writtenUnder().forEach((lease) -> lease.suspendWriter(this));
		}
	}

	void resumeWrites() {
		writtenUnder().forEach((lease) -> lease.resumeWriter(this));
	}

	private Stream<GrantedLease> writtenUnder() {
		return Stream.concat(this.held.stream().map(HeldLease::lease), this.around.stream());
	}

	/**
	 * Stops the commit if a lease was lost, because the transaction may have written
	 * without the lock.
	 */
	void requireValid() {
		for (HeldLease each : this.held) {
			each.lease().lossToReport(each.policy()).ifPresent((reason) -> {
				throw BoundLease.lossException(each.lease(), reason, leases(this));
			});
		}
	}

	/**
	 * Returns the leases to release after the transaction, the last lease first.
	 */
	List<GrantedLease> end(boolean mayHaveCommitted) {
		resumeWrites();
		List<GrantedLease> leases = new ArrayList<>();
		for (HeldLease each : this.held) {
			if (mayHaveCommitted) {
				// The commit can no longer be stopped, so the loss of a lease is only
				// logged.
				each.lease()
					.lossToReport(each.policy())
					.ifPresent((reason) -> each.lease().logUnreportedLoss(reason, "During a commit"));
			}
			each.lease().transactionEnded(mayHaveCommitted);
			leases.add(each.lease());
		}
		this.held.clear();
		Collections.reverse(leases);
		return leases;
	}

	/**
	 * How far a transaction is.
	 */
	enum Phase {

		OPEN, COMPLETING, COMMITTED, COMPLETED

	}

	private record HeldLease(GrantedLease lease, LossPolicy policy) {

	}

}
