package dev.redlock.it.migration;

import dev.redlock.Lease;
import dev.redlock.spring.lock.RedlockLock;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Code that uses a registry of Spring Integration, and stays as it is.
 */
class Orders {

	private final LockRegistry<DistributedLock> registry;

	private final Ledger ledger;

	Orders(LockRegistry<DistributedLock> registry, Ledger ledger) {
		this.registry = registry;
		this.ledger = ledger;
	}

	int ship(String order) throws InterruptedException {
		return this.registry.executeLocked(order, () -> this.ledger.write(order));
	}

	void shipFenced(String order) {
		DistributedLock lock = this.registry.obtain(order);
		lock.lock();
		try {
			Lease lease = ((RedlockLock) lock).lease().orElseThrow();
			this.ledger.write(order, lease.fence());
		}
		finally {
			lock.unlock();
		}
	}

}
