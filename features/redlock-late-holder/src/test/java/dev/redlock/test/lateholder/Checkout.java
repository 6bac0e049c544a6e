package dev.redlock.test.lateholder;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Pays orders, more or less safely.
 */
class Checkout {

	private final JdbcClient jdbc;

	private final TransactionOperations transactions;

	private final JdbcFenceGuard guard;

	private final Provider provider;

	Checkout(JdbcClient jdbc, TransactionOperations transactions, JdbcFenceGuard guard, Provider provider) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.guard = guard;
		this.provider = provider;
	}

	/**
	 * Charges without a fence.
	 */
	@RedLock("order:#{#id}")
	void pay(int id) {
		if (isOpen(id)) {
			this.provider.charge(id, "none " + CurrentLease.require().fence());
			markPaid(id);
		}
	}

	/**
	 * Charges with an idempotency key.
	 */
	@RedLock("order:#{#id}")
	void payOnce(int id) {
		if (isOpen(id)) {
			this.provider.charge(id, "order " + id);
			markPaid(id);
		}
	}

	/**
	 * Takes one unit, and claims the row first and with the write.
	 */
	@RedLock("order:#{#id}")
	void countFenced(int id) {
		this.guard.claim(id, "order:" + id);
		int paid = read(id);
		this.transactions.executeWithoutResult((transaction) -> {
			this.guard.claim(id, "order:" + id);
			write(id, paid + 1);
		});
	}

	int read(int id) {
		return this.jdbc.sql("select paid from orders where id = ?").param(id).query(Integer.class).single();
	}

	private boolean isOpen(int id) {
		return read(id) == 0;
	}

	private void markPaid(int id) {
		write(id, 1);
	}

	private void write(int id, int paid) {
		this.jdbc.sql("update orders set paid = ? where id = ?").params(paid, id).update();
	}

	/**
	 * Takes money once for each key.
	 */
	static class Provider {

		private final Map<String, Integer> charges = new ConcurrentHashMap<>();

		private Runnable beforeEach = () -> {
		};

		void charge(int id, String key) {
			this.beforeEach.run();
			this.charges.put(key, id);
		}

		void beforeEach(Runnable beforeEach) {
			this.beforeEach = beforeEach;
		}

		Map<String, Integer> charges() {
			return this.charges;
		}

	}

}
