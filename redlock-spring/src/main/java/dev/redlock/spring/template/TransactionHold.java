package dev.redlock.spring.template;

import java.util.List;

import dev.redlock.CurrentLease;
import dev.redlock.LossPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps leases until the transaction of the thread has completed, and rolls the
 * transaction back if a lease was lost. All callbacks on completion that are registered
 * before the transaction begins to complete still run under the lock.
 */
final class TransactionHold extends KeptLeases implements TransactionSynchronization {

	private static final Object KEY = TransactionHold.class;

	private static final TransactionExecutionListener BEGIN = new TransactionExecutionListener() {

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure == null && isOpen()) {
				TransactionSynchronizationManager.registerSynchronization(
						new Around(LeaseView.bound(CurrentLease.all()).map(BoundLease::root).distinct().toList()));
			}
		}

	};

	/** Whether the transaction commits or rolls back. */
	private volatile boolean completing;

	private volatile boolean completed;

	private TransactionHold(@Nullable TransactionHold outer) {
		super(outer);
	}

	/**
	 * Registers a listener that records under which leases the transactions of a manager
	 * begin.
	 */
	static void observe(ConfigurableTransactionManager manager) {
		if (!manager.getTransactionExecutionListeners().contains(BEGIN)) {
			manager.addListener(BEGIN);
		}
	}

	/**
	 * Makes the transaction of the thread, if any, keep the lease of work that begins.
	 * @param onLoss the policy for a loss before the commit
	 */
	static void keep(BoundLease lease, LossPolicy onLoss) {
		if (!isOpen()) {
			return;
		}
		TransactionHold current = bound();
		if (current == null || !current.isRegistered()) {
			current = begin(current);
		}
		if (!current.completed) {
			current.add(lease, onLoss);
		}
	}

	/**
	 * Returns the leases that the transactions of the thread keep, the innermost first.
	 */
	static List<BoundLease> leases() {
		return leases(bound());
	}

	/**
	 * Whether the thread is in a transaction that has neither committed nor completed.
	 */
	static boolean isOpen() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.getSynchronizations()
					.stream()
					.noneMatch((each) -> each instanceof Around around && around.committed);
	}

	/**
	 * Whether the thread is in a transaction that may have written.
	 */
	static boolean isWriting() {
		return isOpen() && !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
	}

	@Override
	public void suspend() {
		suspend(!this.completing && isWriting());
	}

	@Override
	public void resume() {
		endSuspension();
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		requireValid();
	}

	@Override
	public void beforeCompletion() {
		this.completing = true;
		// This code runs after the callbacks that the work has registered later.
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				release(status);
			}
		});
	}

	@Override
	public void afterCompletion(int status) {
		if (!this.completing) {
			// The transaction manager has not called the callback before the completion.
			release(status);
		}
	}

	private void release(int status) {
		if (bound() == this) {
			TransactionSynchronizationManager.unbindResource(KEY);
			if (this.outer != null) {
				TransactionSynchronizationManager.bindResource(KEY, this.outer);
			}
		}
		this.completed = true;
		BoundLease.done(end(status != STATUS_ROLLED_BACK));
	}

	private static TransactionHold begin(@Nullable TransactionHold outer) {
		TransactionHold hold = new TransactionHold(outer);
		TransactionSynchronizationManager.registerSynchronization(hold);
		TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
		TransactionSynchronizationManager.bindResource(KEY, hold);
		return hold;
	}

	private static @Nullable TransactionHold bound() {
		TransactionHold hold = (TransactionHold) TransactionSynchronizationManager.getResource(KEY);
		if (hold != null && hold.completed && !hold.isRegistered()) {
			// Another thread has completed the transaction, and this thread is no longer
			// in it.
			TransactionSynchronizationManager.unbindResource(KEY);
			return null;
		}
		return hold;
	}

	/**
	 * Whether this hold belongs to the current transaction. The hold of a suspended
	 * transaction does not. The hold of a completing transaction does not either, if a
	 * callback has begun another transaction.
	 */
	private boolean isRegistered() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getSynchronizations().contains(this);
	}

	/**
	 * The leases of the work around a transaction. These leases guard the writes of the
	 * transaction, but the transaction does not keep them. This callback comes first, so
	 * that all later callbacks after the commit already find the leases marked.
	 */
	private static final class Around implements TransactionSynchronization {

		private final List<BoundLease> leases;

		private boolean suspended;

		private boolean committed;

		private Around(List<BoundLease> leases) {
			this.leases = leases;
		}

		@Override
		public void suspend() {
			this.suspended = isWriting();
			if (this.suspended) {
				this.leases.forEach(BoundLease::suspend);
			}
		}

		@Override
		public void resume() {
			if (this.suspended) {
				this.leases.forEach(BoundLease::resume);
			}
		}

		@Override
		public void afterCommit() {
			if (isWriting()) {
				LeaseView.bound(CallSite.ofThread().leases()).forEach(BoundLease::markCommitted);
			}
			this.committed = true;
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
