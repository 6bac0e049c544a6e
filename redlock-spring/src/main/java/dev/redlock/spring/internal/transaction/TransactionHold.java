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
				TransactionSynchronizationManager.registerSynchronization(new LeasesAtBegin(
						LeaseView.bound(CurrentLease.all()).map(BoundLease::granted).distinct().toList()));
			}
		}

		/**
		 * Checks the leases when all callbacks before the commit have run, because a
		 * callback may be slow or acquire leases.
		 */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			TransactionHold hold = bound();
			if (hold != null && hold.isOfCurrentTransaction()) {
				hold.requireValid();
			}
		}

	};

	private volatile boolean completing;

	private volatile boolean completed;

	private TransactionHold(@Nullable TransactionHold outer) {
		super(outer);
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
		if (!isOpen()) {
			return;
		}
		TransactionHold current = bound();
		if (current == null || !current.isOfCurrentTransaction()) {
			current = begin(current);
		}
		if (!current.completed) {
			current.add(lease, onLoss);
		}
	}

	static @Nullable Runnable keeper(GrantedLease lease) {
		return isOpen() ? () -> keep(lease, LossPolicy.THROW) : null;
	}

	static List<GrantedLease> leases() {
		return leases(bound());
	}

	/**
	 * Whether this thread is in a transaction that has neither committed nor rolled back.
	 */
	static boolean isOpen() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.getSynchronizations()
					.stream()
					.noneMatch((each) -> each instanceof LeasesAtBegin begin && begin.committed);
	}

	/**
	 * Whether the open transaction may have suspended another one unnoticed, because its
	 * manager is not observed. The only transactional call of a thread suspends no other
	 * transaction.
	 */
	public static boolean mayHideSuspendedWrites() {
		return isOpen()
				&& TransactionSynchronizationManager.getSynchronizations()
					.stream()
					.noneMatch(LeasesAtBegin.class::isInstance)
				&& StackWalker.getInstance()
					.<Long>walk((frames) -> frames.filter(TransactionHold::isTransactionalCall).count()) != 1;
	}

	private static boolean isTransactionalCall(StackWalker.StackFrame frame) {
		return frame.getClassName().equals("org.springframework.transaction.support.TransactionTemplate")
				&& frame.getMethodName().equals("execute") || frame.getMethodName().equals("invokeWithinTransaction");
	}

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
	public void afterCompletion(int status) {
		if (!this.completing) {
			// If the transaction manager does not call beforeCompletion(), the leases are
			// released here.
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
		BoundLease.endCalls(end(status != STATUS_ROLLED_BACK));
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
		if (hold != null && hold.completed && !hold.isOfCurrentTransaction()) {
			// Another thread has completed the transaction, so this thread's
			// TransactionHold is removed.
			TransactionSynchronizationManager.unbindResource(KEY);
			return null;
		}
		return hold;
	}

	/**
	 * Returns false if the transaction of this {@code TransactionHold} is suspended, or
	 * if a callback at the end of that transaction has begun another transaction.
	 */
	private boolean isOfCurrentTransaction() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getSynchronizations().contains(this);
	}

	/**
	 * The leases of the locked methods that are running when a transaction begins. After
	 * a commit, Spring calls this class first, so that other callbacks find the commit
	 * recorded in the leases.
	 */
	private static final class LeasesAtBegin implements TransactionSynchronization {

		private final List<GrantedLease> leases;

		private boolean suspended;

		private boolean committed;

		private LeasesAtBegin(List<GrantedLease> leases) {
			this.leases = leases;
		}

		@Override
		public void suspend() {
			this.suspended = isWriting();
			if (this.suspended) {
				this.leases.forEach(GrantedLease::suspend);
			}
		}

		@Override
		public void resume() {
			if (this.suspended) {
				this.leases.forEach(GrantedLease::resume);
			}
		}

		@Override
		public void afterCommit() {
			if (isWriting()) {
				LeaseView.bound(CurrentLease.all()).forEach(BoundLease::markCommitted);
				TransactionHold.leases().forEach(BoundLease::markCommitted);
			}
			this.committed = true;
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
