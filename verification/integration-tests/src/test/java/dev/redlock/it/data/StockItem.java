package dev.redlock.it.data;

import dev.redlock.spring.data.Fenced;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate whose id the application gives, so that it may come back after a delete.
 */
@Table
class StockItem {

	@Id
	String sku;

	@Version
	long version;

	int remaining;

	@Fenced(resource = "stock:#{sku}", assignedId = true)
	Long fence;

	StockItem(String sku, int remaining) {
		this.sku = sku;
		this.remaining = remaining;
	}

}
