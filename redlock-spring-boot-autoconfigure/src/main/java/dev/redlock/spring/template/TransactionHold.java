package dev.redlock.spring.template;

import java.util.Optional;

import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps leases until the transaction of the thread has completed, and does not let it
 * commit when one of them was lost. Of the lowest precedence, so that all that others do
 * on completion is still under the lock.
 */
final class TransactionHold implements TransactionSynchronization, ResourceHolder {

	private static final Object KEY = TransactionHold.class;

	private final KeptLeases leases = new KeptLeases();

	/**
	 * That of the suspended transaction around this one. The thread still holds what it
	 * keeps.
	 */
	private final @Nullable TransactionHold outer;

	private volatile boolean suspended;

	private volatile boolean completed;

	private TransactionHold(@Nullable TransactionHold outer) {
		this.outer = outer;
	}

	static boolean keep(BoundLease lease, LossPolicy policy) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return false;
		}
		TransactionHold current = bound();
		if (current == null || current.suspended) {
			current = begin(current);
		}
		current.leases.add(lease, policy);
		return true;
	}

	static Optional<BoundLease> find(String resource, Redlock lock) {
		for (TransactionHold hold = bound(); hold != null; hold = hold.outer) {
			Optional<BoundLease> found = hold.leases.find(resource, lock);
			if (found.isPresent()) {
				return found;
			}
		}
		return Optional.empty();
	}

	@Override
	public void suspend() {
		this.suspended = true;
	}

	@Override
	public void resume() {
		this.suspended = false;
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		this.leases.requireValid();
	}

	@Override
	public void afterCompletion(int status) {
		if (bound() == this) {
			TransactionSynchronizationManager.unbindResource(KEY);
			if (this.outer != null) {
				TransactionSynchronizationManager.bindResource(KEY, this.outer);
			}
		}
		this.completed = true;
		this.leases.release(status != STATUS_ROLLED_BACK);
	}

	/**
	 * Nothing to reset: a hold serves one transaction.
	 */
	@Override
	public void reset() {
	}

	@Override
	public void unbound() {
	}

	/**
	 * Lets Spring unbind a hold whose transaction was completed by another thread.
	 */
	@Override
	public boolean isVoid() {
		return this.completed;
	}

	private static TransactionHold begin(@Nullable TransactionHold outer) {
		TransactionHold hold = new TransactionHold(outer);
		TransactionSynchronizationManager.registerSynchronization(hold);
		if (outer != null) {
			TransactionSynchronizationManager.unbindResource(KEY);
		}
		TransactionSynchronizationManager.bindResource(KEY, hold);
		return hold;
	}

	private static @Nullable TransactionHold bound() {
		return (TransactionHold) TransactionSynchronizationManager.getResource(KEY);
	}

}
