package dev.redlock.docs.snippets;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.test.lateholder.AutoConfigureLateHolder;
import dev.redlock.test.lateholder.LateHolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.willAnswer;

// region: testing-late-holder
@SpringBootTest
@AutoConfigureLateHolder
class CheckoutLateHolderTests {

	@Autowired
	Checkout checkout;

	@Autowired
	LateHolder lateHolder;

	@Test
	void aLateHolderNeverChargesTwice() {
		this.lateHolder.given(() -> openOrder(42))
			.call(() -> this.checkout.pay(42))
			.verify(() -> assertThat(this.charges).hasSize(1));
	}
	// endregion

	@MockitoBean
	PaymentProvider payments;

	final Set<String> charges = ConcurrentHashMap.newKeySet();

	@BeforeEach
	void recordCharges() {
		willAnswer((call) -> {
			this.lateHolder.step("charge");
			return this.charges.add(call.getArgument(1)); // by its idempotency key
		}).given(this.payments).charge(anyLong(), any());
	}

	@Autowired
	JdbcClient jdbc;

	private void openOrder(long id) {
		this.charges.clear();
		this.jdbc.sql("create table if not exists orders (id bigint primary key, state varchar(20))").update();
		this.jdbc.sql("merge into orders key (id) values (?, 'OPEN')").param(id).update();
	}

}
