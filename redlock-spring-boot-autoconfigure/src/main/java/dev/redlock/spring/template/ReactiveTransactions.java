package dev.redlock.spring.template;

import java.util.List;

import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import reactor.core.publisher.Mono;

/**
 * The way to the reactive transaction of the subscriber. Loads without spring-tx, and
 * then there never is one.
 */
final class ReactiveTransactions {

	private ReactiveTransactions() {
	}

	/**
	 * Like {@link Transactions#keep(BoundLease, LossPolicy)}.
	 * @return false if there is no transaction, and the caller releases
	 */
	static Mono<Boolean> keep(BoundLease lease, LossPolicy policy) {
		return (Transactions.isPresent() && !lease.isClosed()) ? ReactiveTransactionHold.keep(lease, policy)
				: Mono.just(false);
	}

	/**
	 * The leases that the current transaction, or one that it has suspended, keeps.
	 */
	static Mono<List<BoundLease>> leases(Redlock lock) {
		return Transactions.isPresent() ? ReactiveTransactionHold.leases(lock) : Mono.just(List.of());
	}

}
