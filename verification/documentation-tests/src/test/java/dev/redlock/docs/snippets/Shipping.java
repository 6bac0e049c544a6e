package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import jakarta.persistence.EntityManager;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Shipping {

	private final EntityManager entities;

	Shipping(EntityManager entities) {
		this.entities = entities;
	}

	// region: jpa-service
	@RedLock("parcel:#{#id}")
	@Transactional
	public void ship(long id) {
		this.entities.find(Parcel.class, id).state = "SHIPPED";
	}
	// endregion

}
