package dev.redlock.docs.snippets;

import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.test.EmbeddedRedlock;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Runs the entity of the page about JPA and JDBC as Spring Boot configures it.
 */
@SpringBootTest(classes = SnippetApplication.class, properties = "spring.jpa.hibernate.ddl-auto=create")
@EmbeddedRedlock
class ShippingTests {

	@Test
	void lateHolderIsRefusedByTheFenceOfTheEntity(@Autowired Shipping shipping, @Autowired JdbcTemplate jdbc,
			@Autowired EntityManager entities, @Autowired TransactionOperations transaction) {
		Parcel first = new Parcel();
		Parcel second = new Parcel();
		transaction.executeWithoutResult((status) -> {
			entities.persist(first);
			entities.persist(second);
		});
		shipping.ship(first.id);
		assertThat(state(jdbc, first.id)).isEqualTo("SHIPPED");
		assertThat(jdbc.queryForObject("select fence from parcel where id = ?", Long.class, first.id)).isPositive();
		jdbc.update("update parcel set fence = ? where id = ?", Long.MAX_VALUE, second.id);
		assertThatException().isThrownBy(() -> shipping.ship(second.id))
			.withRootCauseInstanceOf(StaleFenceException.class);
		assertThat(state(jdbc, second.id)).isEqualTo("NEW");
	}

	@Test
	void aRowThatATransactionReadBeforeTheLockedCallIsWrittenAtItsCommit(@Autowired Shipping shipping,
			@Autowired JdbcTemplate jdbc, @Autowired EntityManager entities,
			@Autowired TransactionOperations transaction) {
		Parcel parcel = new Parcel();
		transaction.executeWithoutResult((status) -> entities.persist(parcel));
		transaction.executeWithoutResult((status) -> {
			assertThat(entities.find(Parcel.class, parcel.id).state).isEqualTo("NEW");
			shipping.ship(parcel.id);
		});
		assertThat(state(jdbc, parcel.id)).isEqualTo("SHIPPED");
		assertThat(jdbc.queryForObject("select fence from parcel where id = ?", Long.class, parcel.id)).isPositive();
	}

	private static String state(JdbcTemplate jdbc, long id) {
		return jdbc.queryForObject("select state from parcel where id = ?", String.class, id);
	}

}
