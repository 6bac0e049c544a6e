package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.R2dbcFenceGuard;
import reactor.core.publisher.Mono;

import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.Transactional;

class ReactiveHelpDesk {

	private final Tickets tickets;

	private final DatabaseClient client;

	private final R2dbcFenceGuard guard;

	ReactiveHelpDesk(Tickets tickets, DatabaseClient client) {
		this.tickets = tickets;
		this.client = client;
		this.guard = new R2dbcFenceGuard(client, "ticket", "id", "fence");
	}

	@RedLock("ticket:#{#id}")
	@Transactional
	public Mono<Ticket> close(long id) {
		return this.tickets.findById(id).doOnNext((ticket) -> ticket.state = "CLOSED").flatMap(this.tickets::save);
	}

	@RedLock("ticket:#{#id}")
	@Transactional
	public Mono<Void> remove(long id) {
		return this.guard.claim(id, "ticket:" + id) // before any read
			.then(this.client.sql("delete from ticket where id = :id and state = 'CLOSED'").bind("id", id).then());
	}

	/**
	 * Nested, so that the other snippets, which have no R2DBC, do not find it.
	 */
	interface Tickets extends ReactiveCrudRepository<Ticket, Long> {

	}

}
