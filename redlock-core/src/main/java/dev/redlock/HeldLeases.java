package dev.redlock;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases that this process holds, so that it can release them when it ends.
 */
final class HeldLeases {

	private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();

	void add(HeldLease lease) {
		this.leases.add(lease);
	}

	void remove(HeldLease lease) {
		this.leases.remove(lease);
	}

	List<HeldLease> list() {
		return List.copyOf(this.leases);
	}

}
