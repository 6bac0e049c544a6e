package dev.redlock.it.data;

import dev.redlock.spring.data.Fenced;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate whose id the database generates.
 */
@Table
class Invoice {

	@Id
	Long id;

	@Version
	Long version;

	int total;

	@Fenced(resource = "invoice:#{id}")
	Long fence;

}
