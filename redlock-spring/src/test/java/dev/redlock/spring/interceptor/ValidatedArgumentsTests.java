package dev.redlock.spring.interceptor;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.NotNull;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.validation.annotation.Validated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Arguments of a locked method with constraints.
 */
class ValidatedArgumentsTests {

	private final ApplicationContextRunner runner = LockedContexts.runner(new LockWorld())
		.withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
		.withBean(Orders.class);

	@Test
	void aViolatedConstraintOfAParameterInTheNameReachesTheCaller() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(() -> orders.pay(null))
				.withMessageContaining("pay.order");
			assertThatExceptionOfType(ConstraintViolationException.class)
				.isThrownBy(() -> orders.payLater(null).block())
				.withMessageContaining("payLater.order");
			assertThat(orders.pay(new Order("42"))).isEqualTo("[42]");
		});
	}

	@Test
	void aNameThatIsNullWithoutAViolatedConstraintIsStillRefused() {
		this.runner.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> context.getBean(Orders.class).pay(new Order(null)))
			.withMessageContaining("#{#order.id} is null"));
	}

	record Order(String id) {

	}

	@Validated
	static class Orders {

		@RedLock("#{#order.id}")
		public String pay(@NotNull Order order) {
			return CurrentLease.require().resources().toString();
		}

		@RedLock("#{#order.id}")
		public Mono<String> payLater(@NotNull Order order) {
			return Mono.just("paid");
		}

	}

}
