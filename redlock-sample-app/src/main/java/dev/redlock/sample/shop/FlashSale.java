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
 * Sells one unit at a time. {@link #buy} is the right way; the other two methods show
 * what goes wrong without the fence and without the lock.
 * <p>
 * The methods are in their own bean, because the proxy of the bean takes the lock. A call
 * from within the same object would not go through the proxy.
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
	 * Sells under the lock, and claims the row of the stock with the fence of the lock. A
	 * purchase that paused for longer than its lock was valid then cannot write.
	 * @param sku the article
	 * @param customer the customer
	 * @return the sale
	 */
	@RedLock(resource = "stock:#{#sku}", ttl = "3s", waitFor = "${flash-sale.patience:10s}")
	public Sale buy(String sku, Customer customer) {
		long fence = CurrentLease.require().fence();
		claim(sku, fence);
		return sell(sku, fence, customer);
	}

	/**
	 * Sells under the lock alone. The lock excludes others until it ends. It cannot stop
	 * a purchase that paused for longer from going on after that.
	 * @param sku the article
	 * @param customer the customer
	 * @return the sale
	 */
	@RedLock(resource = "stock:#{#sku}", ttl = "3s", waitFor = "${flash-sale.patience:10s}")
	public Sale buyUnfenced(String sku, Customer customer) {
		return sell(sku, NO_FENCE, customer);
	}

	/**
	 * Sells without any protection.
	 * @param sku the article
	 * @param customer the customer
	 * @return the sale
	 */
	public Sale buyUnlocked(String sku, Customer customer) {
		return sell(sku, NO_FENCE, customer);
	}

	/**
	 * Reads, thinks, writes. This shop could leave all of it to the database with
	 * {@code SET remaining = remaining - 1 WHERE remaining > 0}. A real shop often
	 * cannot: the decision in between asks a payment provider or a warehouse, or the data
	 * is in different systems. So each statement commits by itself, and only the lock
	 * excludes other buyers.
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
		customer.written();
		return new Sale(sku, left - 1);
	}

	/**
	 * Claims before the stock is read. Otherwise a former buyer could still write between
	 * the two.
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
