package dev.redlock.docs.snippets;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/**
 * Claims a row without a transaction, so the write is guarded by the fence too.
 */
@Service
class Orders {

	private final RedLockTemplate template;

	private final JdbcTemplate jdbc;

	private final JdbcFenceGuard guard;

	Orders(RedLockTemplate template, JdbcTemplate jdbc) {
		this.template = template;
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(jdbc, "orders", "id", "fence");
	}

	void ship(long id) {
		LockRequest request = LockRequest.of("order:" + id).withTtl(Duration.ofSeconds(10));
		this.template.execute(request, (lease) -> {
			this.guard.claim(id, lease.fence()); // first, before anything is read
			String state = this.jdbc.queryForObject("select state from orders where id = ?", String.class, id);
			if ("PAID".equals(state)) {
				this.jdbc.update("update orders set state = 'SHIPPED' where id = ? and fence = ?", id, lease.fence());
			}
			return null;
		});
	}

}
