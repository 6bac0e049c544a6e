package dev.redlock.sample.shop;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.fencing.StaleFenceException;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Sells one unit at a time: {@link #buy} is how it is done, the other two show what is
 * missing without the fence, and without the lock.
 * <p>
 * A class of its own, as the lock is taken by the proxy that other beans are given: a
 * call from within the same object would pass it by.
 */
@Service
public class FlashSale {

	/**
	 * Passes every check of the fence.
	 */
	private static final long NO_FENCE = Long.MAX_VALUE;

	private final JdbcClient jdbc;

	private final JdbcFenceGuard guard;

	FlashSale(JdbcClient jdbc, JdbcOperations operations) {
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(operations, "stock", "sku", "fence");
	}

	/**
	 * Sells under the lock. It also claims the stock's row with the fence of the lock, so
	 * that a purchase that stood still for longer than its lock lives cannot write.
	 * @param sku the article
	 * @param customer who buys
	 * @return what was sold
	 */
	@RedLock(resource = "stock:#{#sku}", ttl = "3s", waitFor = "${flash-sale.patience:10s}")
	public Sale buy(String sku, Customer customer) {
		long fence = CurrentLease.require().fence();
		claim(sku, fence);
		return sell(sku, fence, customer);
	}

	/**
	 * Sells under the lock alone. A lock keeps others out until it ends; it cannot keep a
	 * purchase that stood still from going on behind that.
	 * @param sku the article
	 * @param customer who buys
	 * @return what was sold
	 */
	@RedLock(resource = "stock:#{#sku}", ttl = "3s", waitFor = "${flash-sale.patience:10s}")
	public Sale buyUnfenced(String sku, Customer customer) {
		return sell(sku, NO_FENCE, customer);
	}

	/**
	 * Sells with nothing that keeps buyers apart.
	 * @param sku the article
	 * @param customer who buys
	 * @return what was sold
	 */
	public Sale buyUnlocked(String sku, Customer customer) {
		return sell(sku, NO_FENCE, customer);
	}

	/**
	 * Reads, thinks, writes. This shop could leave it all to the database with
	 * {@code SET remaining = remaining - 1 WHERE remaining > 0}. What it stands for
	 * cannot: the decision in between asks a payment provider or a warehouse, or the two
	 * ends are in different systems. So each statement commits by itself, and what keeps
	 * buyers apart is the lock or nothing.
	 */
	private Sale sell(String sku, long fence, Customer customer) {
		int left = this.jdbc.sql("SELECT remaining FROM stock WHERE sku = :sku")
			.param("sku", sku)
			.query(Integer.class)
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
		if (left < 1) {
			throw new SoldOutException(sku);
		}
		customer.decide();
		int written = this.jdbc.sql("UPDATE stock SET remaining = :left WHERE sku = :sku AND fence <= :fence")
			.param("left", left - 1)
			.param("sku", sku)
			.param("fence", fence)
			.update();
		if (written == 0) {
			throw stale(sku, fence);
		}
		this.jdbc.sql("INSERT INTO sale (sku) VALUES (:sku)").param("sku", sku).update();
		return new Sale(sku, left - 1);
	}

	/**
	 * Before the stock is read: a former buyer could otherwise still write in between.
	 */
	private void claim(String sku, long fence) {
		try {
			this.guard.claim(sku, fence);
		}
		catch (EmptyResultDataAccessException ex) {
			throw new UnknownArticleException(sku);
		}
	}

	private StaleFenceException stale(String sku, long fence) {
		long highest = this.jdbc.sql("SELECT fence FROM stock WHERE sku = :sku")
			.param("sku", sku)
			.query(Long.class)
			.single();
		return new StaleFenceException("The stock of " + sku, fence, highest);
	}

}
