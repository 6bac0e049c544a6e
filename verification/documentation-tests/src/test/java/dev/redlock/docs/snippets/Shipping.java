package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Shipping {

	private final Parcels parcels;

	Shipping(Parcels parcels) {
		this.parcels = parcels;
	}

	// region: jpa-service
	@RedLock("parcel:#{#id}")
	@Transactional
	public void ship(long id) {
		this.parcels.findById(id).orElseThrow().state = "SHIPPED";
	}
	// endregion

}
