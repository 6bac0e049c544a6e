package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

@Service
class Checkout {

	private final JdbcClient jdbc;

	private final PaymentProvider payments;

	Checkout(JdbcClient jdbc, PaymentProvider payments) {
		this.jdbc = jdbc;
		this.payments = payments;
	}

	// region: first-lock
	@RedLock(resource = "order:#{#order}", ttl = "10s")
	public void pay(long order) {
		// The lock keeps other callers out. After a pause, the key protects.
		String state = this.jdbc.sql("select state from orders where id = ?").param(order).query(String.class).single();
		if ("OPEN".equals(state)) {
			// After a crash, the next call sends the same key: no second charge.
			this.payments.charge(order, "order-" + order);
			this.jdbc.sql("update orders set state = 'PAID' where id = ?").param(order).update();
		}
	}
	// endregion

}
