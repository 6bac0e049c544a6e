package dev.redlock.it.jpa;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import org.hibernate.annotations.OptimisticLock;

@Entity
class PurchaseOrder {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	Long id;

	int total;

	@Version
	long version;

	@FencedVersion(resource = "order:#{id}")
	Long fence;

	@ElementCollection
	List<String> notes = new ArrayList<>();

	@ElementCollection
	@OptimisticLock(excluded = true)
	List<String> tags = new ArrayList<>();

	@OneToMany(mappedBy = "order", cascade = CascadeType.ALL)
	List<OrderLine> lines = new ArrayList<>();

}
