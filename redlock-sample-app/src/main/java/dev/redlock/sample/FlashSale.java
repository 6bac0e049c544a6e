package dev.redlock.sample;

import java.util.concurrent.locks.LockSupport;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Sells one unit at a time, with the lock and without it. The two ways differ in the
 * annotation and in nothing else.
 * <p>
 * A class of its own, as the lock is taken by the proxy that other beans are given: a
 * call from within the same object would pass it by.
 */
@Service
class FlashSale {

	private final JdbcClient jdbc;

	private final FlashSaleProperties properties;

	FlashSale(JdbcClient jdbc, FlashSaleProperties properties) {
		this.jdbc = jdbc;
		this.properties = properties;
	}

	@RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "30s")
	public Sale buy(String sku) {
		return sell(sku);
	}

	public Sale buyUnlocked(String sku) {
		return sell(sku);
	}

	/**
	 * Reads, thinks, writes. This shop could leave it all to the database with
	 * {@code SET remaining = remaining - 1 WHERE remaining > 0}. What it stands for
	 * cannot: the decision in between asks a payment provider or a warehouse, or the two
	 * ends are in different systems. So each statement commits by itself, and what keeps
	 * buyers apart is the lock or nothing.
	 */
	private Sale sell(String sku) {
		int left = this.jdbc.sql("SELECT remaining FROM stock WHERE sku = :sku")
			.param("sku", sku)
			.query(Integer.class)
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
		if (left < 1) {
			throw new SoldOutException(sku);
		}
		LockSupport.parkNanos(this.properties.thinkTime().toNanos());
		this.jdbc.sql("UPDATE stock SET remaining = :left WHERE sku = :sku")
			.param("left", left - 1)
			.param("sku", sku)
			.update();
		this.jdbc.sql("INSERT INTO sale (sku) VALUES (:sku)").param("sku", sku).update();
		return new Sale(sku, left - 1);
	}

}
