package dev.redlock.it.jpa;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Version;

/**
 * A row that is guarded by the lock of its order.
 */
@Entity
class OrderLine {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	Long id;

	@ManyToOne(fetch = FetchType.LAZY)
	@JoinColumn(updatable = false)
	PurchaseOrder order;

	int amount;

	@Version
	long version;

	@FencedVersion(resource = "order:#{order.id}")
	Long fence;

	protected OrderLine() {
	}

	OrderLine(PurchaseOrder order) {
		this.order = order;
	}

}
