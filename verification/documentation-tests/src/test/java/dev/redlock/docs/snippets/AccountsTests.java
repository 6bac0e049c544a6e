package dev.redlock.docs.snippets;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

import dev.redlock.LockLostException;
import dev.redlock.Redlock;
import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locked methods that call each other over several names, with rows that keep a fence.
 */
@SpringBootTest(classes = { SnippetApplication.class, AccountsTests.Closings.class })
@EmbeddedRedlock
class AccountsTests {

	@Autowired
	private Accounts accounts;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private Redlock redlock;

	@Autowired
	private Closings closings;

	@BeforeEach
	void createAccounts() {
		this.jdbc.execute("drop table if exists accounts");
		this.jdbc.execute("create table accounts (id bigint primary key, balance bigint, state varchar(20), fence"
				+ " bigint default 0 not null)");
		this.jdbc.update("insert into accounts (id, balance, state) values (1, 70, 'OPEN'), (2, 30, 'OPEN')");
		this.closings.action.set((id) -> {
		});
	}

	@Test
	void onlyHolderIsNotRefusedByItsRowsInNestedCalls() {
		this.accounts.close(1, 2);
		assertThat(state(1)).isEqualTo("CLOSED");
		assertThat(balance(2)).isEqualTo(100);
		this.accounts.close(2, 1);
		assertThat(balance(1)).isEqualTo(100);
	}

	@Test
	void lossOfTheOuterLockBeforeTheCommitRollsBackNestedCalls() {
		this.closings.action.set((id) -> this.redlock.revoke("account:" + id));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.accounts.close(1, 2))
			.withMessageContaining("[account:1]");
		assertThat(state(1)).isEqualTo("OPEN");
		assertThat(balance(2)).isEqualTo(30);
	}

	@Test
	void checkAtTheEndOfANestedCallRollsItBackIfTheOuterLockIsLost() {
		this.closings.action.set((id) -> this.redlock.revoke("account:" + id));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.accounts.mergeUnderTheFirst(1, 2, this.accounts));
		assertThat(state(1)).isEqualTo("OPEN");
	}

	private String state(long id) {
		return this.jdbc.queryForObject("select state from accounts where id = ?", String.class, id);
	}

	private long balance(long id) {
		return this.jdbc.queryForObject("select balance from accounts where id = ?", Long.class, id);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Closings {

		private final AtomicReference<LongConsumer> action = new AtomicReference<>();

		@Bean
		LongConsumer closing() {
			return (id) -> this.action.get().accept(id);
		}

	}

}
