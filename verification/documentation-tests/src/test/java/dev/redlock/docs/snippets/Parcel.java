package dev.redlock.docs.snippets;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

@Entity
class Parcel {

	// region: jpa-entity
	@Id
	@GeneratedValue
	Long id;

	@Version
	long version;

	@FencedVersion(resource = "parcel:#{id}")
	Long fence;

	// endregion

	String state = "NEW";

}
