package dev.redlock.docs.snippets;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CheckoutTests {

	@Test
	void anOrderIsChargedOnceThoughTheProcessDiesBetweenTheChargeAndTheUpdate() {
		JdbcClient jdbc = JdbcClient
			.create(new DriverManagerDataSource("jdbc:h2:mem:checkout;DB_CLOSE_DELAY=-1", "sa", ""));
		jdbc.sql("create table orders (id bigint primary key, state varchar(20))").update();
		jdbc.sql("insert into orders values (1, 'OPEN')").update();
		RecordedPayments payments = new RecordedPayments();
		PaymentProvider dying = (order, key) -> {
			payments.charge(order, key);
			throw new IllegalStateException("The process dies");
		};
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> new Checkout(jdbc, dying).pay(1));
		new Checkout(jdbc, payments).pay(1);
		assertThat(payments.charged()).containsExactly(1L);
		assertThat(jdbc.sql("select state from orders").query(String.class).single()).isEqualTo("PAID");
	}

}
