package dev.redlock.sample.shop;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Fills the shelves, and counts the units left and sold.
 */
@Repository
public class StockBooks {

	private final JdbcClient jdbc;

	StockBooks(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Puts units on the shelf, and deletes the sales. It raises the version, so that a
	 * purchase which has read the stock before cannot write.
	 * @param sku the article
	 * @param units the number of units
	 * @return the books now
	 */
	public Stock reset(String sku, int units) {
		this.jdbc.sql("DELETE FROM sale WHERE sku = :sku").param("sku", sku).update();
		this.jdbc.sql("""
				MERGE INTO stock (sku, units, remaining, version) KEY (sku)
				VALUES (:sku, :units, :units, (SELECT COALESCE(MAX(version), 0) + 1 FROM stock WHERE sku = :sku))
				""").param("sku", sku).param("units", units).update();
		return find(sku);
	}

	/**
	 * Looks an article up.
	 * @param sku the article
	 * @return its books
	 * @throws UnknownArticleException if there is no such article
	 */
	public Stock find(String sku) {
		return this.jdbc.sql("""
				SELECT sku, units, remaining, (SELECT COUNT(*) FROM sale WHERE sale.sku = stock.sku) AS sold
				FROM stock WHERE sku = :sku
				""")
			.param("sku", sku)
			.query((row, number) -> new Stock(row.getString("sku"), row.getInt("units"), row.getInt("remaining"),
					row.getInt("sold")))
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
	}

}
