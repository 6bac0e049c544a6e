package dev.redlock.spring.template;

import java.util.Optional;

import dev.redlock.Lease;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The lease under which a reactive flow works: its fence, what is left of it. The twin of
 * {@link dev.redlock.CurrentLease}, which belongs to a thread.
 * <p>
 * A flow changes threads, so its lease is kept in its Reactor context: the innermost one
 * under the key {@code Lease.class}. Coroutines see the same by
 * {@code ReactiveCurrentLease.get().awaitSingleOrNull()}.
 */
public final class ReactiveCurrentLease {

	private ReactiveCurrentLease() {
	}

	/**
	 * The lease under which the flow that subscribes works.
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Mono<Lease> get() {
		return Mono.deferContextual((context) -> Mono.justOrEmpty(find(context)));
	}

	/**
	 * The lease under which the flow that subscribes works.
	 * @return the innermost lease, or an {@link IllegalStateException} outside of a lock
	 */
	public static Mono<Lease> require() {
		return get().switchIfEmpty(Mono.error(() -> new IllegalStateException(
				"This code insists on a lock, and its flow holds none. Put it inside of a publisher that a bean with"
						+ " @RedLock or ReactiveRedLockTemplate returns, and subscribe to it in the same flow.")));
	}

	/**
	 * The lease that a context carries.
	 * @param context the context of a subscriber
	 * @return the innermost lease, empty outside of a lock
	 */
	public static Optional<Lease> find(ContextView context) {
		return context.getOrEmpty(Lease.class);
	}

	/**
	 * The innermost lease in a context that is held for a resource.
	 * @param context the context of a subscriber
	 * @param resource the name of what is locked
	 * @return the lease, empty if the flow works under none for it
	 */
	public static Optional<Lease> find(ContextView context, String resource) {
		return LeaseChain.find(context, resource);
	}

}
