package dev.redlock.docs.snippets;

import java.util.function.LongConsumer;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.template.RedLockAssert;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Work under one name that calls work under this name and another one.
 */
@Service
class Accounts {

	private final Transfers transfers;

	private final JdbcTemplate jdbc;

	private final JdbcFenceGuard guard;

	private final ObjectProvider<LongConsumer> closings;

	Accounts(Transfers transfers, JdbcTemplate jdbc, ObjectProvider<LongConsumer> closings) {
		this.transfers = transfers;
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(jdbc, "accounts", "id", "fence");
		this.closings = closings;
	}

	@RedLock("account:#{#id}")
	@Transactional
	public void close(long id, long heir) {
		this.guard.claim(id, "account:" + id);
		this.transfers.transfer(id, heir);
		this.closings.forEach((closing) -> closing.accept(id));
		this.guard.claim(id, "account:" + id);
		this.jdbc.update("update accounts set state = 'CLOSED' where id = ?", id);
	}

	@RedLock({ "account:#{#from}", "account:#{#to}" })
	@Transactional
	public void merge(long from, long to) {
		this.jdbc.update("update accounts set state = 'MERGED' where id = ?", from);
		this.closings.forEach((closing) -> closing.accept(from));
		RedLockAssert.assertLocked();
	}

	@RedLock("account:#{#from}")
	public void mergeUnderTheFirst(long from, long to, Accounts proxy) {
		proxy.merge(from, to);
	}

}
