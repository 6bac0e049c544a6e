package dev.redlock.docs.snippets;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Remembers who was charged.
 */
class RecordedPayments implements PaymentProvider {

	private final List<Long> charged = new CopyOnWriteArrayList<>();

	@Override
	public void charge(long order) {
		this.charged.add(order);
	}

	List<Long> charged() {
		return this.charged;
	}

}
