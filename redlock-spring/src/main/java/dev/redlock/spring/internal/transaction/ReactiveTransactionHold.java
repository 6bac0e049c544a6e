package dev.redlock.spring.internal.transaction;

import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LossPolicy;
import dev.redlock.spring.internal.lease.BoundLease;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.lease.LeaseView;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Holds leases until the reactive transaction of the subscriber has completed, and rolls
 * the transaction back if a lease was lost.
 */
public final class ReactiveTransactionHold extends LeasesHeldByTransaction implements TransactionSynchronization {

	private static final Object KEY = ReactiveTransactionHold.class;

	private final TransactionSynchronizationManager manager;

	private ReactiveTransactionHold(TransactionSynchronizationManager manager,
			@Nullable ReactiveTransactionHold outer) {
		super(outer);
		this.manager = manager;
	}

	/**
	 * Makes the open transaction of the subscriber hold leases, or does nothing if there
	 * is no transaction.
	 */
	public static Mono<Void> keep(List<GrantedLease> leases, LossPolicy onLoss) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter(ReactiveTransactionHold::isOpen)
			.doOnNext((manager) -> leases.forEach((lease) -> current(manager).add(lease, onLoss)))
			.onErrorComplete(NoTransactionException.class)
			.then();
	}

	/**
	 * Tells the transaction, if it is open, about the leases around it.
	 */
	static void observe(TransactionContext transaction, List<Lease> leases) {
		TransactionSynchronizationManager manager = new TransactionSynchronizationManager(transaction);
		if (isOpen(manager)) {
			current(manager).surround(LeaseView.bound(leases).map(BoundLease::granted).toList());
		}
	}

	/**
	 * Detaches a lease; the rollback of the subscriber's transaction takes its ticket
	 * back.
	 */
	public static Mono<String> detach(GrantedLease lease) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter(ReactiveTransactionHold::isOpen)
			.onErrorComplete(NoTransactionException.class)
			.map((manager) -> lease.detachIn(() -> current(manager).add(lease, LossPolicy.THROW)))
			.switchIfEmpty(Mono.fromSupplier(() -> lease.detachIn(null)));
	}

	/**
	 * Returns the transaction of the subscriber; empty if there is none.
	 */
	public static Mono<OpenTransaction> current() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.map((manager) -> new OpenTransaction(leases(bound(manager)), isOpen(manager), isWriting(manager)))
			.onErrorComplete(NoTransactionException.class);
	}

	@Override
	public Mono<Void> suspend() {
		return Mono.fromRunnable(() -> suspendWrites(this.phase == Phase.OPEN && isWriting(this.manager)));
	}

	@Override
	public Mono<Void> resume() {
		return Mono.fromRunnable(() -> {
			resumeWrites();
			// Spring does not report whether the inner transaction has committed, so all
			// writes under the leases count as committed.
			leases(this).forEach(BoundLease::markCommitted);
		});
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(this::requireValid);
	}

	@Override
	public Mono<Void> beforeCompletion() {
		return Mono.fromRunnable(() -> {
			this.phase = Phase.COMPLETING;
			// A callback that is registered just before the completion runs after all
			// transaction callbacks of the application.
			this.manager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public Mono<Void> afterCompletion(int status) {
					return release(status);
				}
			});
		});
	}

	@Override
	public Mono<Void> afterCompletion(int status) {
		return (this.phase == Phase.OPEN) ? release(status) : Mono.empty();
	}

	private Mono<Void> release(int status) {
		return Mono.fromRunnable(() -> {
			this.manager.unbindResourceIfPossible(KEY);
			if (this.outer != null) {
				this.manager.bindResource(KEY, this.outer);
			}
			end(status != STATUS_ROLLED_BACK).forEach(BoundLease::endUseAsync);
		});
	}

	private static ReactiveTransactionHold current(TransactionSynchronizationManager manager) {
		ReactiveTransactionHold bound = bound(manager);
		// A bound ReactiveTransactionHold that the current transaction has not registered
		// belongs to an outer transaction.
		if (bound != null && manager.getSynchronizations().contains(bound)) {
			return bound;
		}
		ReactiveTransactionHold hold = new ReactiveTransactionHold(manager, bound);
		manager.registerSynchronization(hold);
		manager.unbindResourceIfPossible(KEY);
		manager.bindResource(KEY, hold);
		return hold;
	}

	private static boolean isOpen(TransactionSynchronizationManager manager) {
		return manager.isSynchronizationActive() && manager.isActualTransactionActive();
	}

	private static boolean isWriting(TransactionSynchronizationManager manager) {
		return isOpen(manager) && !manager.isCurrentTransactionReadOnly();
	}

	private static @Nullable ReactiveTransactionHold bound(TransactionSynchronizationManager manager) {
		return (ReactiveTransactionHold) manager.getResource(KEY);
	}

}
