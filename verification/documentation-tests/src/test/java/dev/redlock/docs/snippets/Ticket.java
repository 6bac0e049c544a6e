package dev.redlock.docs.snippets;

import dev.redlock.spring.data.Fenced;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

// region: data-aggregate
@Table
class Ticket {

	@Id
	Long id;

	@Version
	Long version;

	@Fenced(resource = "ticket:#{id}")
	Long fence;

	String state = "NEW";

}
// endregion
