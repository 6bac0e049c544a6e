package dev.redlock.sample;

import java.util.concurrent.locks.LockSupport;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.fencing.StaleFenceException;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Sells one unit at a time, with the lock and without it. Under the lock a purchase also
 * claims the stock's row with its fence, so that one that stood still for longer than its
 * lock lives cannot write any more.
 * <p>
 * A class of its own, as the lock is taken by the proxy that other beans are given: a
 * call from within the same object would pass it by.
 */
@Service
class FlashSale {

	/**
	 * Passes every check, as what does not lock has no fence.
	 */
	private static final long NO_FENCE = Long.MAX_VALUE;

	private final JdbcClient jdbc;

	private final JdbcFenceGuard guard;

	private final FlashSaleProperties properties;

	FlashSale(JdbcClient jdbc, JdbcOperations operations, FlashSaleProperties properties) {
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(operations, "stock", "sku", "fence");
		this.properties = properties;
	}

	@RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "30s")
	public Sale buy(String sku) {
		long fence = CurrentLease.require().fence();
		claim(sku, fence);
		return sell(sku, fence);
	}

	public Sale buyUnlocked(String sku) {
		return sell(sku, NO_FENCE);
	}

	/**
	 * Reads, thinks, writes. This shop could leave it all to the database with
	 * {@code SET remaining = remaining - 1 WHERE remaining > 0}. What it stands for
	 * cannot: the decision in between asks a payment provider or a warehouse, or the two
	 * ends are in different systems. So each statement commits by itself, and what keeps
	 * buyers apart is the lock or nothing.
	 */
	private Sale sell(String sku, long fence) {
		int left = this.jdbc.sql("SELECT remaining FROM stock WHERE sku = :sku")
			.param("sku", sku)
			.query(Integer.class)
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
		if (left < 1) {
			throw new SoldOutException(sku);
		}
		LockSupport.parkNanos(this.properties.thinkTime().toNanos());
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
