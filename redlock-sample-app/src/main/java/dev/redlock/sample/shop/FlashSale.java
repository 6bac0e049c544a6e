package dev.redlock.sample.shop;

import dev.redlock.spring.annotation.RedLock;
import jakarta.persistence.EntityManager;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Sells one unit at a time. {@link #buy} is the right way; the other two methods show
 * what goes wrong without the fence and without the lock.
 * <p>
 * The methods are in their own bean, because the proxy of the bean takes the lock. A call
 * from within the same object would not go through the proxy.
 */
@Service
public class FlashSale {

	private final EntityManager entities;

	private final TransactionOperations transactions;

	private final JdbcClient jdbc;

	FlashSale(EntityManager entities, TransactionOperations transactions, JdbcClient jdbc) {
		this.entities = entities;
		this.transactions = transactions;
		this.jdbc = jdbc;
	}

	/**
	 * Sells under the lock, from an entity with a fence. The load claims the row with the
	 * fence of the lock, so a purchase that paused for longer than its lock was valid
	 * cannot write.
	 * <p>
	 * No transaction is open while the customer decides. Otherwise the row would stay
	 * locked in the database, and the next buyer would wait for it after the lock has
	 * ended.
	 * @param sku the article
	 * @param customer the customer
	 * @return the sale
	 */
	@RedLock(resource = "stock:#{#sku}", ttl = "3s", waitFor = "${flash-sale.patience:10s}")
	public Sale buy(String sku, Customer customer) {
		Article article = this.transactions.execute((transaction) -> find(sku));
		int left = article.takeOne();
		customer.decide();
		this.transactions.executeWithoutResult((transaction) -> {
			this.entities.merge(article);
			recordSale(sku);
		});
		customer.written();
		return new Sale(sku, left);
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
		return sellUnchecked(sku, customer);
	}

	/**
	 * Sells without any protection.
	 * @param sku the article
	 * @param customer the customer
	 * @return the sale
	 */
	public Sale buyUnlocked(String sku, Customer customer) {
		return sellUnchecked(sku, customer);
	}

	private Article find(String sku) {
		Article article = this.entities.find(Article.class, sku);
		if (article == null) {
			throw new UnknownArticleException(sku);
		}
		return article;
	}

	/**
	 * Reads, thinks, writes, by SQL that checks neither the fence nor the version of the
	 * row. This shop could leave all of it to the database with
	 * {@code SET remaining = remaining - 1 WHERE remaining > 0}. A real shop often
	 * cannot: the decision in between asks a payment provider or a warehouse, or the data
	 * is in different systems.
	 */
	private Sale sellUnchecked(String sku, Customer customer) {
		int left = this.jdbc.sql("SELECT remaining FROM stock WHERE sku = :sku")
			.param("sku", sku)
			.query(Integer.class)
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
		if (left < 1) {
			throw new SoldOutException(sku);
		}
		customer.decide();
		this.jdbc.sql("UPDATE stock SET remaining = :left WHERE sku = :sku")
			.param("left", left - 1)
			.param("sku", sku)
			.update();
		recordSale(sku);
		customer.written();
		return new Sale(sku, left - 1);
	}

	private void recordSale(String sku) {
		this.jdbc.sql("INSERT INTO sale (sku) VALUES (:sku)").param("sku", sku).update();
	}

}
