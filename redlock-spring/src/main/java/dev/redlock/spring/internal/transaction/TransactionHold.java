package dev.redlock.spring.internal.transaction;

import java.util.List;

import dev.redlock.CurrentLease;
import dev.redlock.LossPolicy;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Holds leases until the transaction of the current thread has completed, and rolls the
 * transaction back if a lease was lost. Transaction callbacks, such as
 * {@code @TransactionalEventListener}, still run under the lock if they are registered
 * before the transaction begins to complete.
 *
 * <pre>
 *  What Spring calls         Phase after it   What happens to the leases
 *  begin, the work           OPEN             the work adds them
 *  beforeCommit              OPEN             lost: the transaction rolls back
 *  beforeCompletion          COMPLETING       the last callback is registered
 *  LISTENER.beforeCommit     COMPLETING       observed and lost: rolls back
 *  the commit, afterCommit   COMMITTED        remember committed writes; none is added
 *  afterCompletion           COMMITTED        other callbacks still run under them
 *  the last callback         COMPLETED        released
 * </pre>
 *
 * A rollback leads from {@code COMPLETING} to {@code COMPLETED}. A transaction whose
 * manager does not call {@code beforeCompletion} leads from {@code OPEN} to
 * {@code COMPLETED}.
 */
public final class TransactionHold extends LeasesHeldByTransaction implements TransactionSynchronization {

	private static final Object KEY = TransactionHold.class;

	private static final TransactionExecutionListener LISTENER = new TransactionExecutionListener() {

		/**
		 * Ignores savepoints, because a transaction may have thousands of them.
		 */
		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure == null && transaction.isNewTransaction() && isOpen()) {
				begin(true).surround(LeaseView.bound(CurrentLease.all()).map(BoundLease::granted).distinct().toList());
			}
		}

		/**
		 * Checks the leases when all callbacks before the commit have run, because a
		 * callback may be slow or acquire leases.
		 */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			TransactionHold current = current();
			if (current != null) {
				current.requireValid();
			}
		}

	};

	/**
	 * Whether the listener has seen the transaction begin, and checks the leases last.
	 */
	private final boolean observed;

	private TransactionHold(@Nullable TransactionHold outer, boolean observed) {
		super(outer);
		this.observed = observed;
	}

	public static void observe(ConfigurableTransactionManager manager) {
		if (!manager.getTransactionExecutionListeners().contains(LISTENER)) {
			manager.addListener(LISTENER);
		}
	}

	/**
	 * Makes the open transaction of this thread hold a lease, or does nothing if there is
	 * no transaction.
	 */
	public static void keep(GrantedLease lease, LossPolicy onLoss) {
		if (isOpen()) {
			TransactionHold current = current();
			((current != null) ? current : begin(false)).add(lease, onLoss);
		}
	}

	static @Nullable Runnable keeper(GrantedLease lease) {
		return isOpen() ? () -> keep(lease, LossPolicy.THROW) : null;
	}

	static List<GrantedLease> leases() {
		return leases(innermost());
	}

	/**
	 * Whether this thread is in a transaction that has neither committed nor rolled back.
	 */
	static boolean isOpen() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return false;
		}
		TransactionHold current = current();
		return current == null || current.phase.compareTo(Phase.COMMITTED) < 0;
	}

	/**
	 * Whether the open transaction may have suspended another one unnoticed, because its
	 * manager is not observed.
	 */
	public static boolean mayHideSuspendedWrites() {
		TransactionHold current = current();
		return isOpen() && (current == null || !current.observed) && !isInSingleTransactionalCall();
	}

	/**
	 * The single transactional call of a thread suspends no other transaction. Code that
	 * begins its transactions without such calls may have suspended one.
	 */
	private static boolean isInSingleTransactionalCall() {
		return StackWalker.getInstance()
			.<Long>walk((frames) -> frames.filter(TransactionHold::isTransactionalCall).limit(2).count()) == 1;
	}

	private static boolean isTransactionalCall(StackWalker.StackFrame frame) {
		return frame.getClassName().equals("org.springframework.transaction.support.TransactionTemplate")
				&& frame.getMethodName().equals("execute") || frame.getMethodName().equals("invokeWithinTransaction");
	}

	static boolean isWriting() {
		return isOpen() && !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
	}

	/**
	 * First after a commit, so that other callbacks find the commit recorded in the
	 * leases. But without the listener, {@link #beforeCommit(boolean)} is the only check
	 * of the leases, and must come last.
	 */
	@Override
	public int getOrder() {
		return this.observed ? HIGHEST_PRECEDENCE : LOWEST_PRECEDENCE;
	}

	@Override
	public void suspend() {
		// Other callbacks hear of the commit of an unobserved transaction first, so a
		// transaction that is completing may have committed.
		boolean mayHaveCommitted = !this.observed && this.phase != Phase.OPEN;
		suspendWrites(isWriting() && !mayHaveCommitted);
	}

	@Override
	public void resume() {
		resumeWrites();
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		requireValid();
	}

	@Override
	public void beforeCompletion() {
		this.phase = Phase.COMPLETING;
		// A callback that is registered just before the completion runs after all
		// transaction callbacks of the application.
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				release(status);
			}
		});
	}

	@Override
	public void afterCommit() {
		if (isWriting()) {
			LeaseView.bound(CurrentLease.all()).forEach(BoundLease::markCommitted);
			leases(this).forEach(BoundLease::markCommitted);
		}
		if (this.phase == Phase.COMPLETING) {
			this.phase = Phase.COMMITTED;
		}
	}

	@Override
	public void afterCompletion(int status) {
		if (this.phase == Phase.OPEN) {
			// If the transaction manager does not call beforeCompletion(), the leases are
			// released here.
			release(status);
		}
	}

	private void release(int status) {
		if (innermost() == this) {
			bind((TransactionHold) this.outer);
		}
		this.phase = Phase.COMPLETED;
		BoundLease.endUses(end(status != STATUS_ROLLED_BACK));
	}

	private static TransactionHold begin(boolean observed) {
		TransactionHold hold = new TransactionHold(innermost(), observed);
		TransactionSynchronizationManager.registerSynchronization(hold);
		bind(hold);
		return hold;
	}

	private static void bind(@Nullable TransactionHold hold) {
		TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
		if (hold != null) {
			TransactionSynchronizationManager.bindResource(KEY, hold);
		}
	}

	/**
	 * Returns the hold of the current transaction; null if this transaction has none yet.
	 */
	private static @Nullable TransactionHold current() {
		TransactionHold hold = innermost();
		return (hold != null && hold.isOfCurrentTransaction()) ? hold : null;
	}

	/**
	 * Returns the hold of the current transaction or, if this transaction has none yet,
	 * of the one around it: a suspended transaction, or one whose callback has begun the
	 * current one.
	 */
	private static @Nullable TransactionHold innermost() {
		TransactionHold hold = (TransactionHold) TransactionSynchronizationManager.getResource(KEY);
		if (hold != null && hold.phase == Phase.COMPLETED && !hold.isOfCurrentTransaction()) {
			// Another thread has completed the transaction, so this thread's
			// TransactionHold is removed.
			TransactionSynchronizationManager.unbindResource(KEY);
			return null;
		}
		return hold;
	}

	private boolean isOfCurrentTransaction() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getSynchronizations().contains(this);
	}

}
