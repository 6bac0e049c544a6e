package dev.redlock.it.migration;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.lock.RedlockLock;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.template.RedLockOperations;

/**
 * What used to be done with a lock of Redisson.
 */
class Payments {

	private final RedLockOperations template;

	private final RedlockLocks locks;

	private final Ledger ledger;

	Payments(RedLockOperations template, RedlockLocks locks, Ledger ledger) {
		this.template = template;
		this.locks = locks;
		this.ledger = ledger;
	}

	int pay(String order) {
		LockRequest request = LockRequest.of("order:" + order)
			.withWaitFor(Duration.ofSeconds(3))
			.withRenew(true)
			.withMaxHold(Duration.ofMinutes(2));
		return this.template.execute(request, (lease) -> this.ledger.write(order, lease.fence()));
	}

	boolean tryToPay(String order) throws InterruptedException {
		RedlockLock lock = this.locks.get(LockRequest.of("order:" + order).withTtl(Duration.ofSeconds(10)));
		if (!lock.tryLock(3, TimeUnit.SECONDS)) {
			return false;
		}
		try {
			this.ledger.write(order, lock.lease().orElseThrow().fence());
			return true;
		}
		finally {
			lock.unlock();
		}
	}

	@RedLock(resource = { "account:#{#from}", "account:#{#to}" }, ttl = "10s", waitFor = "3s")
	public void transfer(String from, String to) {
		this.ledger.write(from + " to " + to);
	}

}
