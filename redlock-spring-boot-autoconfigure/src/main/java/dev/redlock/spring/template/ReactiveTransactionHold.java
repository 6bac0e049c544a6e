package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Keeps leases until the reactive transaction of the subscriber has completed, and does
 * not let it commit when one of them was lost.
 */
final class ReactiveTransactionHold implements TransactionSynchronization {

	private static final Object KEY = ReactiveTransactionHold.class;

	private final KeptLeases leases = new KeptLeases();

	private final TransactionSynchronizationManager manager;

	/**
	 * That of the suspended transaction around this one.
	 */
	private final @Nullable ReactiveTransactionHold outer;

	private volatile boolean suspended;

	private ReactiveTransactionHold(TransactionSynchronizationManager manager,
			@Nullable ReactiveTransactionHold outer) {
		this.manager = manager;
		this.outer = outer;
	}

	static Mono<Boolean> keep(BoundLease lease, LossPolicy policy) {
		return TransactionSynchronizationManager.forCurrentTransaction().filter((manager) -> {
			boolean active = manager.isSynchronizationActive() && manager.isActualTransactionActive();
			if (active) {
				current(manager).leases.add(lease, policy);
			}
			return active;
		})
			.map((manager) -> true)
			.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty())
			.defaultIfEmpty(false);
	}

	static Mono<List<BoundLease>> leases(Redlock lock) {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.map((manager) -> leases(manager, lock))
			.onErrorResume(NoTransactionException.class, (ex) -> Mono.just(List.of()));
	}

	@Override
	public Mono<Void> suspend() {
		return Mono.fromRunnable(() -> this.suspended = true);
	}

	@Override
	public Mono<Void> resume() {
		return Mono.fromRunnable(() -> this.suspended = false);
	}

	@Override
	public Mono<Void> beforeCommit(boolean readOnly) {
		return Mono.fromRunnable(this.leases::requireValid);
	}

	@Override
	public Mono<Void> afterCompletion(int status) {
		return Mono.fromRunnable(() -> {
			this.manager.unbindResourceIfPossible(KEY);
			if (this.outer != null) {
				this.manager.bindResource(KEY, this.outer);
			}
			this.leases.releaseAsync(status != STATUS_ROLLED_BACK);
		});
	}

	private static List<BoundLease> leases(TransactionSynchronizationManager manager, Redlock lock) {
		List<BoundLease> all = new ArrayList<>();
		for (ReactiveTransactionHold hold = bound(manager); hold != null; hold = hold.outer) {
			all.addAll(hold.leases.leases(lock));
		}
		return all;
	}

	private static ReactiveTransactionHold current(TransactionSynchronizationManager manager) {
		ReactiveTransactionHold bound = bound(manager);
		if (bound != null && !bound.suspended) {
			return bound;
		}
		ReactiveTransactionHold hold = new ReactiveTransactionHold(manager, bound);
		manager.registerSynchronization(hold);
		manager.unbindResourceIfPossible(KEY);
		manager.bindResource(KEY, hold);
		return hold;
	}

	private static @Nullable ReactiveTransactionHold bound(TransactionSynchronizationManager manager) {
		return (ReactiveTransactionHold) manager.getResource(KEY);
	}

}
