package dev.redlock.spring.template;

import java.util.Optional;

import dev.redlock.Lease;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The leases that a reactive flow runs under, kept in its Reactor context.
 *
 * @param lease the innermost
 * @param outer those around it, null if there are none
 */
record LeaseChain(BoundLease lease, @Nullable LeaseChain outer) {

	/**
	 * Makes a lease the innermost of a context, also for those who only ask for a
	 * {@link Lease}.
	 */
	static Context push(Context context, BoundLease lease) {
		LeaseChain outer = context.getOrDefault(LeaseChain.class, null);
		return context.put(LeaseChain.class, new LeaseChain(lease, outer)).put(Lease.class, lease);
	}

	static Optional<Lease> find(ContextView context, String resource) {
		LeaseChain chain = context.getOrDefault(LeaseChain.class, null);
		while (chain != null) {
			if (chain.lease.resources().contains(resource)) {
				return Optional.of(chain.lease);
			}
			chain = chain.outer;
		}
		return Optional.empty();
	}

	/**
	 * The names only.
	 */
	@Override
	public String toString() {
		return (this.outer != null) ? this.lease + " in " + this.outer : this.lease.toString();
	}

}
