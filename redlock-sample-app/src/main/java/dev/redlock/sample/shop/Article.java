package dev.redlock.sample.shop;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.jspecify.annotations.Nullable;

/**
 * An article on the shelf. Its row keeps the fence of the last buyer that had the lock,
 * and refuses earlier ones.
 */
@Entity
@Table(name = "stock")
class Article {

	@Id
	private String sku = "";

	private int remaining;

	@Version
	private long version;

	@FencedVersion(resource = "stock:#{sku}")
	private @Nullable Long fence;

	/**
	 * Takes one unit.
	 * @return the number of units left
	 * @throws SoldOutException if there is none
	 */
	int takeOne() {
		if (this.remaining < 1) {
			throw new SoldOutException(this.sku);
		}
		this.remaining--;
		return this.remaining;
	}

}
