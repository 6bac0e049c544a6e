package dev.redlock.docs.snippets;

import dev.redlock.spring.data.Fenced;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

@Table
class Ticket {

	// region: data-aggregate
	@Id
	Long id;

	@Version
	Long version;

	@Fenced(resource = "ticket:#{id}")
	Long fence;

	// endregion

	String state = "NEW";

}
