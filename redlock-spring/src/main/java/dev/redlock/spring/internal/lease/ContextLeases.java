package dev.redlock.spring.internal.lease;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.Lease;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The leases in a Reactor context: all leases, and the innermost lease under the key
 * {@code Lease.class}.
 */
public final class ContextLeases {

	private static final Object ALL = ContextLeases.class;

	private ContextLeases() {
	}

	/**
	 * Returns all leases in a Reactor context, the innermost first.
	 */
	public static List<Lease> all(ContextView context) {
		return context.<List<Lease>>getOrEmpty(ALL).orElse(List.of());
	}

	/**
	 * Adds leases to a Reactor context, the outermost lease first.
	 */
	public static Context push(Context context, List<Lease> leases) {
		List<Lease> all = new ArrayList<>(all(context));
		leases.forEach((lease) -> all.add(0, lease));
		return context.put(ALL, List.copyOf(all)).put(Lease.class, all.get(0));
	}

}
