package dev.redlock.it.jpa;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/**
 * A row whose id is given by the application, so that it may come back after a delete.
 */
@Entity
class StockItem {

	@Id
	String sku;

	int remaining;

	@Version
	long version;

	@FencedVersion(resource = "stock:#{sku}")
	Long fence;

	protected StockItem() {
	}

	StockItem(String sku, int remaining) {
		this.sku = sku;
		this.remaining = remaining;
	}

}
