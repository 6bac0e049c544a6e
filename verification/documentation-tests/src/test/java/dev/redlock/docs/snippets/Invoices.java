package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.JdbcFenceGuard;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// region: jdbc-claim
@Service
class Invoices {

	private final JdbcTemplate jdbc;

	private final JdbcFenceGuard guard;

	Invoices(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(jdbc, "invoices", "id", "fence");
	}

	@RedLock(resource = "invoice:#{#id}", ttl = "10s")
	@Transactional
	public void pay(long id) {
		this.guard.claim(id, "invoice:" + id); // before any read
		String state = this.jdbc.queryForObject("select state from invoices where id = ?", String.class, id);
		if ("OPEN".equals(state)) {
			this.jdbc.update("update invoices set state = 'PAID' where id = ?", id);
		}
	}

}
// endregion
