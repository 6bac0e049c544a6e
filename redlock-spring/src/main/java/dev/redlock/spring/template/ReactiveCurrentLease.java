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
 * Gives reactive code access to the lease under which it runs, for example to the fencing
 * token and the remaining time. Blocking code uses {@link dev.redlock.CurrentLease},
 * which belongs to a thread.
 * <p>
 * A reactive flow changes threads, so its leases are stored in its Reactor context. The
 * innermost lease has the key {@code Lease.class}. Kotlin coroutines get the innermost
 * lease by {@code ReactiveCurrentLease.get().awaitSingleOrNull()}.
 */
public final class ReactiveCurrentLease {

	private static final Object ALL = ReactiveCurrentLease.class;

	private ReactiveCurrentLease() {
	}

	/**
	 * Returns the innermost lease of the subscribing flow. The lease covers exactly the
	 * names that the innermost call locked.
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
	 * Returns all leases that allow the subscribing flow to write: the leases in its
	 * Reactor context, and the leases of ended calls that its open transaction still
	 * holds.
	 * @return emits the leases in the Reactor context, the innermost first, followed by
	 * the leases that the transaction holds
	 */
	public static Mono<List<Lease>> allOfTransaction() {
		return callSite(CallSite.NOWHERE).map(CallSite::leases);
	}

	/**
	 * Returns the innermost lease on a resource in the subscribing flow. Guard the data
	 * of a resource with the fencing token of the lease on that resource, even in nested
	 * calls.
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
	 * @param context the Reactor context of a subscriber
	 * @return the innermost lease; empty if the subscriber runs under no lock
	 */
	public static Optional<Lease> find(ContextView context) {
		return context.getOrEmpty(Lease.class);
	}

	/**
	 * Returns the innermost lease on a resource in a Reactor context. Guard the data of a
	 * resource with the fencing token of the lease on that resource, even in nested
	 * calls.
	 * @param context the Reactor context of a subscriber
	 * @param resource the name of the locked resource
	 * @return the innermost lease on the resource; empty if the context has no lease on
	 * the resource
	 */
	public static Optional<Lease> find(ContextView context, String resource) {
		return TransactionLeases.find(all(context), resource);
	}

	/**
	 * Returns all leases in a Reactor context.
	 * @param context the Reactor context of a subscriber
	 * @return the leases, the innermost first
	 */
	public static List<Lease> all(ContextView context) {
		return context.<List<Lease>>getOrEmpty(ALL).orElse(List.of());
	}

	/**
	 * Returns the leases and the transaction in which a publisher is subscribed to.
	 * @param thread the leases and the transaction of the subscribing thread
	 */
	static Mono<CallSite> callSite(CallSite thread) {
		return Mono.deferContextual((context) -> {
			List<Lease> current = Stream.concat(all(context).stream(), thread.current().stream()).toList();
			CallSite call = new CallSite(current, thread.kept(), false, false);
			return LeasesHeldByTransaction.SPRING_TX_PRESENT ? ReactiveTransactionHold.around(call) : Mono.just(call);
		});
	}

	/**
	 * Returns a Reactor context with additional leases.
	 * @param leases the leases to add, the outermost first
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
