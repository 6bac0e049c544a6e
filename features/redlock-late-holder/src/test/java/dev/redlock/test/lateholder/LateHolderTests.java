package dev.redlock.test.lateholder;

import dev.redlock.spring.fencing.JdbcFenceGuard;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateHolderTests {

	@Autowired
	Checkout checkout;

	@Autowired
	Checkout.Provider provider;

	@Autowired
	JdbcClient jdbc;

	@Autowired
	LateHolder lateHolder;

	@BeforeEach
	void markCharges() {
		this.provider.beforeEach(() -> this.lateHolder.step("charge"));
	}

	@Test
	void aWriteThatIsFencedSurvivesAPauseAtEachStep() {
		this.lateHolder.given(this::openOrder)
			.call(() -> this.checkout.countFenced(42))
			.verify(() -> assertThat(this.checkout.read(42)).isBetween(1, 2));
	}

	@Test
	void anIdempotencyKeySurvivesAPauseAtEachStep() {
		this.lateHolder.given(this::openOrder)
			.call(() -> this.checkout.payOnce(42))
			.verify(() -> assertThat(this.provider.charges()).hasSize(1));
	}

	@Test
	void aChargeWithoutAKeyBreaksTheInvariantAtTheStepThatCharges() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::openOrder)
				.call(() -> this.checkout.pay(42))
				.verify(() -> assertThat(this.provider.charges()).hasSize(1)))
			.satisfies((broken) -> {
				assertThat(broken.getMessage().lines()).element(1)
					.isEqualTo("Checkout.pay, lock [order:42]: 3 steps. The call was frozen before each step until "
							+ "its lock had expired, and the rival ran meanwhile.");
				assertThat(broken.getMessage().lines()).element(3)
					.asString()
					.matches("1  select paid from orders where id = \\? +wrote nothing, then "
							+ "LockLostAfterCommitException +holds +holds");
				assertThat(broken.getMessage().lines()).element(4)
					.asString()
					.matches("2  charge +LANDED LATE, then LockLostAfterCommitException +BROKEN: Expected size: 1 but "
							+ "was: 2.* +BROKEN");
				assertThat(broken.getMessage().lines()).element(5)
					.asString()
					.matches("3  update orders set paid = .*LANDED LATE, then LockLostAfterCommitException +BROKEN.* "
							+ "+–");
				assertThat(broken.getMessage()).contains("A write that landed late needs a fence",
						"Work that a crash leaves half done needs one transaction");
				assertThat(broken.getSuppressed()).hasSize(3);
			});
	}

	private void openOrder() {
		this.provider.charges().clear();
		this.jdbc.sql("merge into orders (id, paid) key (id) values (42, 0)").update();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Shop {

		@Bean
		Checkout checkout(JdbcTemplate template, JdbcClient jdbc, TransactionOperations transactions,
				Checkout.Provider provider) {
			template.execute("create table orders (id int primary key, paid int, fence bigint)");
			return new Checkout(jdbc, transactions, new JdbcFenceGuard(template, "orders", "id", "fence"), provider);
		}

		@Bean
		Checkout.Provider provider() {
			return new Checkout.Provider();
		}

	}

}
