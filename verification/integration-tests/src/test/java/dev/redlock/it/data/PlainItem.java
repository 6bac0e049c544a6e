package dev.redlock.it.data;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The control: a version and no fence.
 */
@Table
class PlainItem {

	@Id
	String sku;

	@Version
	long version;

	int remaining;

	PlainItem(String sku, int remaining) {
		this.sku = sku;
		this.remaining = remaining;
	}

}
