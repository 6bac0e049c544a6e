package dev.redlock.spring.fencing;

import java.util.UUID;

import org.h2.jdbcx.JdbcDataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A table with one row, and its guard.
 */
abstract class GuardedStock {

	final JdbcDataSource dataSource = new JdbcDataSource();

	final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	final JdbcFenceGuard guard = new JdbcFenceGuard(this.jdbc, "stock", "sku", "fence");

	GuardedStock() {
		this.dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		this.jdbc.execute("CREATE TABLE stock (sku VARCHAR(64) PRIMARY KEY, remaining INT, token VARCHAR(64),"
				+ " fence BIGINT DEFAULT 0)");
		this.jdbc.execute("INSERT INTO stock (sku, remaining) VALUES ('sneaker', 50)");
	}

	final int remaining() {
		return this.jdbc.queryForObject("SELECT remaining FROM stock", Integer.class);
	}

}
