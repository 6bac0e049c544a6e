package dev.redlock.spring.fencing;

import java.util.List;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ClaimOutsideOfTransactionTests extends GuardedStock {

	private static final String WARNING = "A claim on the table stock was made outside of a transaction";

	@Test
	void eachGuardWarnsOnceOfAClaimThatCommitsAlone(CapturedOutput output) {
		this.guard.claim("sneaker", 7);
		this.guard.claim("sneaker", 8);
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("call claim(…) in the transaction of the write")
			.contains("AND fence = ?");
		new JdbcFenceGuard(this.jdbc, "stock", "sku", "fence").claim("sneaker", 9);
		assertThat(warnings(output)).hasSize(2);
	}

	@Test
	void aClaimInTheTransactionOfTheWriteIsNoReasonToWarn(CapturedOutput output) {
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource))
			.executeWithoutResult((transaction) -> this.guard.claim("sneaker", 7));
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void aTransactionOfAnotherDataSourceDoesNotHideTheWarning(CapturedOutput output) {
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			this.guard.claim("sneaker", 7);
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
		assertThat(warnings(output)).hasSize(1);
	}

	@Test
	void theReactiveGuardWarnsOnceTooAndNotInATransaction(CapturedOutput output) {
		ConnectionFactory factory = ConnectionFactories.get("r2dbc:h2:mem:///claims?options=DB_CLOSE_DELAY=-1");
		DatabaseClient client = DatabaseClient.create(factory);
		client.sql("create table stock (sku varchar(20), fence bigint)").then().block();
		client.sql("insert into stock values ('sneaker', 0)").then().block();
		R2dbcFenceGuard guard = new R2dbcFenceGuard(client, "stock", "sku", "fence");
		TransactionalOperator transactions = TransactionalOperator.create(new R2dbcTransactionManager(factory));
		guard.claim("sneaker", 7).as(transactions::transactional).block();
		assertThat(warnings(output)).isEmpty();
		guard.claim("sneaker", 8).block();
		guard.claim("sneaker", 9).block();
		assertThat(warnings(output)).hasSize(1);
		assertThat(client.sql("select fence from stock").mapValue(Long.class).one().block()).isEqualTo(9);
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains(WARNING)).toList();
	}

}
