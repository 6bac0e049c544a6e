package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Work under two names, which other locked methods call too.
 */
@Service
class Transfers {

	private final JdbcTemplate jdbc;

	private final JdbcFenceGuard guard;

	Transfers(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(jdbc, "accounts", "id", "fence");
	}

	@RedLock({ "account:#{#from}", "account:#{#to}" })
	@Transactional
	public void transfer(long from, long to) {
		this.guard.claim(from, "account:" + from); // before any read
		this.guard.claim(to, "account:" + to);
		Long amount = this.jdbc.queryForObject("select balance from accounts where id = ?", Long.class, from);
		this.jdbc.update("update accounts set balance = 0 where id = ?", from);
		this.jdbc.update("update accounts set balance = balance + ? where id = ?", amount, to);
	}

}
