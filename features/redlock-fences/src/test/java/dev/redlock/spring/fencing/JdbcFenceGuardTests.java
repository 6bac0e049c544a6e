package dev.redlock.spring.fencing;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class JdbcFenceGuardTests extends GuardedStock {

	@Test
	void aFormerHolderIsRefusedOnceALaterOneHasClaimed() {
		this.guard.claim("sneaker", 7);
		this.guard.claim("sneaker", 9);
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> this.guard.claim("sneaker", 7))
			.withMessageContaining(
					"The row 'sneaker' of stock refused the fence 7, because it has seen the newer fence 9");
		assertThat(fence()).isEqualTo(9);
	}

	@Test
	void aClaimUnderAnotherLockIsRefused() {
		LockWorld world = new LockWorld();
		RedLockTemplate template = new RedLockTemplate(world.redlock, Runnable::run);
		assertThatIllegalStateException().isThrownBy(() -> template.<Void>execute(world.now("order:1"), (order) -> {
			this.guard.claim("sneaker", "stock:sneaker");
			return null;
		})).withMessageContaining("needs the lock on stock:sneaker").withMessageContaining("[order:1]");
		assertThat(fence()).isZero();
	}

	@Test
	void aLockThatTheTransactionKeepsAllowsAClaimAndIsSentOverHttp() {
		LockWorld world = new LockWorld();
		RedLockTemplate template = new RedLockTemplate(world.redlock, Runnable::run);
		MockClientHttpRequest request = new MockClientHttpRequest();
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource)).executeWithoutResult((status) -> {
			long fence = template.execute(world.now("stock:sneaker"), Lease::fence);
			this.guard.claim("sneaker", "stock:sneaker");
			assertThat(fence()).isEqualTo(fence);
			assertThatNoException()
				.isThrownBy(() -> new FenceHeaderInterceptor().intercept(request, new byte[0], (sent, body) -> null));
			assertThat(request.getHeaders().getFirst(FenceHeader.NAME)).isEqualTo("stock%3Asneaker=" + fence);
		});
		assertThatIllegalStateException().isThrownBy(() -> this.guard.claim("sneaker", "stock:sneaker"));
	}

	@Test
	void aClaimIsJudgedByTheLatestFenceAndNotByThatOfASnapshot() {
		JdbcFenceGuard onSnapshot = new JdbcFenceGuard(snapshotOf(7, 9), "stock", "sku", "fence");
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> onSnapshot.claim("sneaker", 7))
			.withMessageContaining("the newer fence 9");
		JdbcFenceGuard countingChanges = new JdbcFenceGuard(snapshotOf(7, 7), "stock", "sku", "fence");
		assertThatNoException().isThrownBy(() -> countingChanges.claim("sneaker", 7));
	}

	/**
	 * A database that changes no row, shows one fence to plain reads and another to
	 * locking ones.
	 */
	private static JdbcOperations snapshotOf(long seen, long latest) {
		return (JdbcOperations) Proxy.newProxyInstance(JdbcOperations.class.getClassLoader(),
				new Class<?>[] { JdbcOperations.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("update")) {
						return 0;
					}
					return List.of(((String) arguments[0]).endsWith(" FOR UPDATE") ? latest : seen);
				});
	}

	@Test
	void aRowThatWasNeverFencedCanBeClaimed() {
		this.jdbc.update("UPDATE stock SET fence = NULL");
		this.guard.claim("sneaker", 7);
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void aRowThatDoesNotExistCannotBeClaimed() {
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.guard.claim("unicorn", 7))
			.withMessageContaining("has no row 'unicorn'");
	}

	@Test
	void theLateWriteOfAFormerHolderIsRefusedTogetherWithItsClaim() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.guard.claim("sneaker", 7);
		int read = remaining();
		this.guard.claim("sneaker", 9);
		this.jdbc.update("UPDATE stock SET remaining = 10 WHERE sku = 'sneaker'");
		assertThatExceptionOfType(StaleFenceException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
				this.guard.claim("sneaker", 7);
				this.jdbc.update("UPDATE stock SET remaining = ? WHERE sku = 'sneaker'", read - 1);
			}));
		assertThat(remaining()).isEqualTo(10);
	}

	@Test
	void ofManyThatClaimAtOnceTheHighestRemains() {
		CompletableFuture<?>[] claims = LongStream.rangeClosed(1, 50)
			.mapToObj((fence) -> CompletableFuture.runAsync(() -> {
				try {
					this.guard.claim("sneaker", fence);
				}
				catch (StaleFenceException ex) {
					assertThat(ex.highest()).isGreaterThan(fence);
				}
			}))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(claims).join();
		assertThat(fence()).isEqualTo(50);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "stock; DROP TABLE stock", "stock--", "\"stock\"", "a.b.c.d", "1stock", "stock stock" })
	void whatIsNoPlainNameIsNoTable(String table) {
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFenceGuard(this.jdbc, table, "sku", "fence"))
			.withMessageContaining("cannot be the name of a table");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sku = sku OR sku", "a.b", "'sku'", "sku)" })
	void whatIsNoPlainNameIsNoColumn(String column) {
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFenceGuard(this.jdbc, "stock", column, "fence"));
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFenceGuard(this.jdbc, "stock", "sku", column));
	}

	private long fence() {
		return this.jdbc.queryForObject("SELECT fence FROM stock", Long.class);
	}

}
