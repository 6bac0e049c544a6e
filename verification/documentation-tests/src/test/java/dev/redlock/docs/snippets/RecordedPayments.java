package dev.redlock.docs.snippets;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Remembers the orders that were charged.
 */
class RecordedPayments implements PaymentProvider {

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	private final List<Long> charged = new CopyOnWriteArrayList<>();

	@Override
	public void charge(long order, String idempotencyKey) {
		if (this.keys.add(idempotencyKey)) {
			this.charged.add(order);
		}
	}

	List<Long> charged() {
		return this.charged;
	}

}
