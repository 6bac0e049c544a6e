package dev.redlock.it.jpa;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;

/**
 * A row that each instance keeps in its {@link LocalCache}, with its collection.
 */
@Entity
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
class CachedOrder {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	Long id;

	int total;

	@Version
	Long version;

	@FencedVersion(resource = "order:#{id}")
	Long fence;

	@ElementCollection
	@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
	List<String> notes = new ArrayList<>();

}
