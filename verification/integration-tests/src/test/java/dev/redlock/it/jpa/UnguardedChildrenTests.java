package dev.redlock.it.jpa;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Children of a fenced entity that its fence does not guard are named at the start.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnguardedChildrenTests {

	private static final Class<?>[] SHOP = { Order.class, Article.class, Item.class, Slip.class, Payment.class,
			Label.class, Address.class, Guarded.class, Customer.class, Tag.class };

	@Test
	void eachChildWithoutAFenceIsNamedWithTheTwoWaysToGuardIt(CapturedOutput output) throws Exception {
		start(SHOP);
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("Order has @FencedVersion, which does not guard its children [")
			.contains("Article (Order.articles)", "Item (Order.items)", "Slip (Order.slips)", "Payment (Payment.order)",
					"Label (Order.label)", "Address (Order.address)")
			.contains("Give the child @FencedVersion with the name of the parent's lock")
			.contains("let each transaction that writes the child first load the parent under the parent's lock");
	}

	@Test
	void guardedChildrenElementsAndEntitiesThatAreNoChildrenAreNotNamed(CapturedOutput output) throws Exception {
		start(SHOP);
		assertThat(warnings(output)).singleElement()
			.asString()
			.doesNotContain("Guarded", "notes", "boxes", "Customer", "Tag");
	}

	@Test
	void anApplicationWhoseChildrenAreGuardedIsNotWarned(CapturedOutput output) throws Exception {
		start(PurchaseOrder.class, OrderLine.class);
		assertThat(warnings(output)).isEmpty();
	}

	private static void start(Class<?>... entities) throws Exception {
		try (Database database = Database.h2(); Persistence jpa = new Persistence(database.url(), "create", entities)) {
			jpa.factory();
		}
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("does not guard its children")).toList();
	}

	@MappedSuperclass
	abstract static class Row {

		@Id
		@GeneratedValue
		Long id;

		@Version
		long version;

	}

	@MappedSuperclass
	abstract static class Parent extends Row {

		@FencedVersion(resource = "order:#{id}")
		Long fence;

		@OneToMany(orphanRemoval = true)
		@JoinColumn(name = "order_id")
		List<Article> articles = new ArrayList<>();

	}

	@Entity(name = "Order")
	@Table(name = "orders")
	static class Order extends Parent {

		@OneToMany(cascade = CascadeType.ALL)
		@JoinTable
		List<Item> items = new ArrayList<>();

		@OneToMany(mappedBy = "order")
		List<Slip> slips = new ArrayList<>();

		@OneToMany(mappedBy = "order")
		List<Guarded> guarded = new ArrayList<>();

		@OneToOne(mappedBy = "order")
		Label label;

		@OneToOne(orphanRemoval = true)
		Address address;

		@ElementCollection
		List<String> notes = new ArrayList<>();

		@ElementCollection
		List<Box> boxes = new ArrayList<>();

		@ManyToOne
		Customer customer;

		@ManyToMany
		List<Tag> tags = new ArrayList<>();

	}

	@Entity(name = "Article")
	static class Article extends Row {

	}

	@Entity(name = "Item")
	static class Item extends Row {

	}

	@Entity(name = "Slip")
	static class Slip extends Row {

		@ManyToOne
		Order order;

	}

	@Entity(name = "Payment")
	static class Payment extends Row {

		@ManyToOne
		Order order;

	}

	@Entity(name = "Label")
	static class Label extends Row {

		@OneToOne
		Order order;

	}

	@Entity(name = "Address")
	static class Address extends Row {

	}

	@Entity(name = "Guarded")
	static class Guarded extends Row {

		@ManyToOne
		@JoinColumn(updatable = false)
		Order order;

		@FencedVersion(resource = "order:#{order.id}")
		Long fence;

	}

	@Entity(name = "Customer")
	static class Customer extends Row {

	}

	@Entity(name = "Tag")
	static class Tag extends Row {

	}

	@Embeddable
	record Box(int size) {

	}

}
