package dev.redlock.it.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * What a worker carries on, with the ticket of the lock.
 */
@Entity
class ShipmentTask {

	@Id
	String sku;

	/** A secret: who has it can take the lock. */
	@Column(length = 4000)
	String ticket;

	protected ShipmentTask() {
	}

	ShipmentTask(String sku, String ticket) {
		this.sku = sku;
		this.ticket = ticket;
	}

}
