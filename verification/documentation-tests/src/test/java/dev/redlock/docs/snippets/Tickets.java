package dev.redlock.docs.snippets;

import org.springframework.data.repository.CrudRepository;

interface Tickets extends CrudRepository<Ticket, Long> {

}
