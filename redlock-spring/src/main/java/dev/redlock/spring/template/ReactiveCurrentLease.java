package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.redlock.Lease;
import dev.redlock.spring.internal.lease.ContextLeases;
import dev.redlock.spring.internal.lease.GrantedLease;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.internal.transaction.ReactiveTransactionHold;
import dev.redlock.spring.internal.work.CallSite;
import dev.redlock.spring.internal.work.ReactiveExecution;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Gives reactive code access to the lease under which the code runs, for example to the
 * fencing token. Blocking code finds its leases in {@link dev.redlock.CurrentLease}.
 * <p>
 * The leases of a reactive flow are in its Reactor context, the innermost lease under the
 * key {@code Lease.class}. Kotlin coroutines get the innermost lease by
 * {@code ReactiveCurrentLease.get().awaitSingleOrNull()}.
 */
public final class ReactiveCurrentLease {

	private ReactiveCurrentLease() {
	}

	/**
	 * Returns the innermost lease of the subscribing flow.
	 * @return emits the innermost lease; empty if the flow runs under no lock
	 */
	public static Mono<Lease> get() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(find(context)));
	}

	/**
	 * Returns the innermost lease of the subscribing flow, and fails if the flow has no
	 * lease.
	 * @return emits the innermost lease; fails with {@link IllegalStateException} if the
	 * flow runs under no lock
	 */
	public static Mono<Lease> require() {
		return get().switchIfEmpty(Mono.error(() -> new IllegalStateException(
				"This code needs a lock, but its reactive flow holds no lock. Put this code into a publisher that a "
						+ "bean with @RedLock or ReactiveRedLockTemplate returns, and subscribe in the same flow.")));
	}

	/**
	 * Detaches the innermost lease of the subscribing flow, as {@link Lease#detach()}
	 * does. {@code Lease.detach()} itself does not see a reactive transaction, so its
	 * rollback would not take the ticket back.
	 * @return emits the secret ticket; fails with {@link IllegalStateException} if the
	 * flow runs under no lock, or its lease cannot be detached
	 */
	public static Mono<String> detach() {
		return require()
			.flatMap((lease) -> (lease instanceof GrantedLease granted && LeasesHeldByTransaction.SPRING_TX_PRESENT)
					? ReactiveTransactionHold.detach(granted) : Mono.fromSupplier(lease::detach));
	}

	/**
	 * Returns all leases that allow the subscribing flow to write, even leases that only
	 * its open transaction still holds.
	 * @return emits the leases in the Reactor context, the innermost first, followed by
	 * the leases that the transaction holds
	 */
	public static Mono<List<Lease>> allOfTransaction() {
		return ReactiveExecution.callSite(CallSite.EMPTY).map(CallSite::leases);
	}

	/**
	 * Returns the innermost lease on a resource in the subscribing flow. Guard the data
	 * of a resource only with the fencing token of the lease on the same resource.
	 * @param resource the name of the locked resource
	 * @return emits the lease; fails with {@link IllegalStateException} if the flow has
	 * no lease on the resource
	 */
	public static Mono<Lease> require(String resource) {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(find(context, resource))
			.switchIfEmpty(Mono.error(() -> notHeld(resource, all(context)))));
	}

	/**
	 * Returns the innermost lease in a Reactor context.
	 * @return the innermost lease; empty if the subscriber runs under no lock
	 */
	public static Optional<Lease> find(ContextView context) {
		return context.getOrEmpty(Lease.class);
	}

	/**
	 * Returns the innermost lease on a resource in a Reactor context.
	 * @param resource the name of the locked resource
	 * @return the innermost lease on the resource; empty if the context has no lease on
	 * the resource
	 */
	public static Optional<Lease> find(ContextView context, String resource) {
		return TransactionLeases.find(all(context), resource);
	}

	/**
	 * Returns all leases in a Reactor context.
	 * @return the leases, the innermost first
	 */
	public static List<Lease> all(ContextView context) {
		return ContextLeases.all(context);
	}

	/**
	 * Returns a Reactor context that tells reactive transactions about the leases around
	 * them, so that calls in other transactions cannot re-enter these leases while a
	 * transaction is suspended.
	 */
	public static Context observeTransactions(Context context) {
		return ReactiveExecution.observeTransactions(context);
	}

	private static IllegalStateException notHeld(String resource, List<Lease> leases) {
		Set<String> held = new TreeSet<>();
		leases.forEach((lease) -> held.addAll(lease.resources()));
		return new IllegalStateException("This code needs the lock on " + resource + ", but its reactive flow "
				+ (held.isEmpty() ? "holds no lock" : "holds only the lock on " + held)
				+ ". Run the code in a publisher of a @RedLock bean or ReactiveRedLockTemplate, in the same flow.");
	}

}
