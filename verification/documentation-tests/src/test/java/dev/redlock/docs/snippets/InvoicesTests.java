package dev.redlock.docs.snippets;

import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs what the page about JPA and JDBC shows, with the column as that page adds it.
 */
@SpringBootTest(classes = SnippetApplication.class)
@EmbeddedRedlock
class InvoicesTests {

	@Test
	void lateHolderIsRefusedByTheFenceOfTheRow(@Autowired Invoices invoices, @Autowired JdbcTemplate jdbc) {
		jdbc.execute("create table invoices (id bigint primary key, state varchar(20))");
		jdbc.execute("alter table invoices add column fence bigint default 0 not null");
		jdbc.update("insert into invoices (id, state) values (1, 'OPEN'), (2, 'OPEN')");
		invoices.pay(1);
		assertThat(state(jdbc, 1)).isEqualTo("PAID");
		jdbc.update("update invoices set fence = ? where id = 2", Long.MAX_VALUE);
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> invoices.pay(2));
		assertThat(state(jdbc, 2)).isEqualTo("OPEN");
	}

	private static String state(JdbcTemplate jdbc, long id) {
		return jdbc.queryForObject("select state from invoices where id = ?", String.class, id);
	}

}
