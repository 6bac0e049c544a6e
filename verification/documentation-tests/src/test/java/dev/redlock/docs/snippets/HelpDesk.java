package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class HelpDesk {

	private final Tickets tickets;

	HelpDesk(Tickets tickets) {
		this.tickets = tickets;
	}

	// region: data-jdbc-service
	@RedLock("ticket:#{#id}")
	@Transactional
	public void close(long id) {
		Ticket ticket = this.tickets.findById(id).orElseThrow();
		ticket.state = "CLOSED";
		this.tickets.save(ticket);
	}
	// endregion

}
