package dev.redlock.it.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/**
 * The control: a version and no fence.
 */
@Entity
class PlainItem {

	@Id
	String sku;

	int remaining;

	@Version
	long version;

	protected PlainItem() {
	}

	PlainItem(String sku, int remaining) {
		this.sku = sku;
		this.remaining = remaining;
	}

}
