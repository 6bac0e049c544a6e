package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.redlock.Lease;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The lease under which a reactive flow works, with its fence and remaining time.
 * Blocking code uses {@link dev.redlock.CurrentLease}, which belongs to a thread.
 * <p>
 * A flow changes threads, so its leases are kept in its Reactor context, the innermost
 * lease under the key {@code Lease.class}. Coroutines get the lease by
 * {@code ReactiveCurrentLease.get().awaitSingleOrNull()}.
 */
public final class ReactiveCurrentLease {

	private static final Object ALL = ReactiveCurrentLease.class;

	private ReactiveCurrentLease() {
	}

	/**
	 * Returns the lease under which the subscribing flow works. The lease covers exactly
	 * the names that the innermost call locked.
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Mono<Lease> get() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(find(context)));
	}

	/**
	 * Returns the lease under which the subscribing flow works.
	 * @return the innermost lease, or an {@link IllegalStateException} outside of a lock
	 */
	public static Mono<Lease> require() {
		return get().switchIfEmpty(Mono.error(() -> new IllegalStateException(
				"This code needs a lock, but its reactive flow holds no lock. Put this code into a publisher that a "
						+ "bean with @RedLock or ReactiveRedLockTemplate returns, and subscribe in the same flow.")));
	}

	/**
	 * Returns all leases that the subscribing flow may write under: the leases under
	 * which it works, and the leases of ended flows that its open transaction keeps.
	 * @return the leases of the flow, the innermost first, followed by the leases of the
	 * transaction
	 */
	public static Mono<List<Lease>> allOfTransaction() {
		return callSite(CallSite.NOWHERE).map(CallSite::leases);
	}

	/**
	 * Returns the innermost lease on a resource under which the subscribing flow works.
	 * Guard the data of the resource with the fence of this lease, even in nested calls.
	 * @param resource the name of the resource
	 * @return the lease, or an {@link IllegalStateException} if the flow does not hold
	 * the resource
	 */
	public static Mono<Lease> require(String resource) {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(find(context, resource))
			.switchIfEmpty(Mono.error(() -> notHeld(resource, all(context)))));
	}

	/**
	 * Returns the lease in a context.
	 * @param context the context of a subscriber
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Optional<Lease> find(ContextView context) {
		return context.getOrEmpty(Lease.class);
	}

	/**
	 * Returns the innermost lease on a resource in a context. Guard the data of the
	 * resource with the fence of this lease, even in nested calls.
	 * @param context the context of a subscriber
	 * @param resource the name of the resource
	 * @return the lease, empty if the flow does not hold the resource
	 */
	public static Optional<Lease> find(ContextView context, String resource) {
		return TransactionLeases.find(all(context), resource);
	}

	/**
	 * Returns all leases in a context.
	 * @param context the context of a subscriber
	 * @return the leases, the innermost first
	 */
	public static List<Lease> all(ContextView context) {
		return context.<List<Lease>>getOrEmpty(ALL).orElse(List.of());
	}

	/**
	 * Returns the leases and the transaction around a subscription.
	 * @param thread the leases and the transaction of the subscribing thread
	 */
	static Mono<CallSite> callSite(CallSite thread) {
		return Mono.deferContextual((context) -> {
			List<Lease> current = Stream.concat(all(context).stream(), thread.current().stream()).toList();
			CallSite call = new CallSite(current, thread.kept(), false, false);
			return KeptLeases.TRANSACTIONS ? ReactiveTransactionHold.around(call) : Mono.just(call);
		});
	}

	/**
	 * Adds leases to a context, each lease inside of the previous lease.
	 */
	static Context push(Context context, List<Lease> leases) {
		List<Lease> all = new ArrayList<>(all(context));
		leases.forEach((lease) -> all.add(0, lease));
		return context.put(ALL, List.copyOf(all)).put(Lease.class, all.get(0));
	}

	private static IllegalStateException notHeld(String resource, List<Lease> leases) {
		Set<String> held = new TreeSet<>();
		leases.forEach((lease) -> held.addAll(lease.resources()));
		return new IllegalStateException("This code needs the lock on " + resource + ", but its reactive flow "
				+ (held.isEmpty() ? "holds no lock" : "holds only the lock on " + held)
				+ ". Run the code in a publisher of a @RedLock bean or ReactiveRedLockTemplate, in the same flow.");
	}

}
