package dev.redlock.it.data;

import dev.redlock.CurrentLease;
import dev.redlock.it.jpa.Stock;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stock in aggregates of Spring Data JDBC or R2DBC.
 */
public record DataStock(Store store, boolean fenced) implements Stock {

	public static Stock open(String storage, boolean fenced, String url) {
		return new DataStock(storage.equals("jdbc") ? new JdbcStore(url) : new R2dbcStore(url), fenced);
	}

	public static void create(String url, int remaining) {
		JdbcTemplate jdbc = FencedAggregateContract.tables(url);
		jdbc.update("insert into stock_item (sku, version, remaining, fence) values ('sneaker', 1, ?, 1)", remaining);
		jdbc.update("insert into plain_item (sku, version, remaining) values ('sneaker', 1, ?)", remaining);
	}

	@Override
	public void sellOne() {
		if (this.fenced) {
			this.store.change(CurrentLease.require(), StockItem.class, "sneaker", (item) -> item.remaining--);
		}
		else {
			this.store.change(CurrentLease.require(), PlainItem.class, "sneaker", (item) -> item.remaining--);
		}
	}

	@Override
	public void close() {
		this.store.close();
	}

}
