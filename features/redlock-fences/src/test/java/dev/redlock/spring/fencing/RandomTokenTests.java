package dev.redlock.spring.fencing;

import java.util.UUID;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compares a resource that keeps the random token of its holder with one that keeps the
 * fence. A former holder has stood still for longer than its lease, and the current
 * holder has claimed the row meanwhile.
 */
class RandomTokenTests {

	private static final String FORMER = "8d0f3a";

	private static final String CURRENT = "1c77e2";

	private static final long FORMER_FENCE = 7;

	private static final long CURRENT_FENCE = 9;

	private final JdbcDataSource dataSource = new JdbcDataSource();

	private JdbcTemplate jdbc;

	private JdbcFenceGuard guard;

	@BeforeEach
	void createTable() {
		this.dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.jdbc.execute("CREATE TABLE stock (sku VARCHAR(64) PRIMARY KEY, remaining INT, token VARCHAR(64),"
				+ " fence BIGINT DEFAULT 0)");
		this.jdbc.execute("INSERT INTO stock (sku, remaining) VALUES ('sneaker', 50)");
		this.guard = new JdbcFenceGuard(this.jdbc, "stock", "sku", "fence");
	}

	@Test
	void aLateWriteIsRefusedByARandomToken() {
		claimByToken(FORMER);
		claimByToken(CURRENT);
		assertThat(writeByToken(FORMER, 49)).isFalse();
		assertThat(writeByToken(CURRENT, 48)).isTrue();
		assertThat(remaining()).isEqualTo(48);
	}

	@Test
	void aLateClaimPassesARandomTokenAndShutsTheCurrentHolderOut() {
		claimByToken(CURRENT);
		claimByToken(FORMER);
		assertThat(writeByToken(CURRENT, 48)).isFalse();
		assertThat(writeByToken(FORMER, 49)).isTrue();
		assertThat(remaining()).isEqualTo(49);
	}

	@Test
	void aLateClaimIsRefusedByItsFenceAndTheCurrentHolderGoesOn() {
		this.guard.claim("sneaker", CURRENT_FENCE);
		assertThatExceptionOfType(StaleFenceException.class)
			.isThrownBy(() -> this.guard.claim("sneaker", FORMER_FENCE));
		assertThat(writeByFence(FORMER_FENCE, 49)).isFalse();
		assertThat(writeByFence(CURRENT_FENCE, 48)).isTrue();
		assertThat(remaining()).isEqualTo(48);
	}

	/**
	 * Claims without a condition: random tokens have no order that it could use.
	 */
	private void claimByToken(String token) {
		this.jdbc.update("UPDATE stock SET token = ? WHERE sku = 'sneaker'", token);
	}

	private boolean writeByToken(String token, int remaining) {
		return this.jdbc.update("UPDATE stock SET remaining = ? WHERE sku = 'sneaker' AND token = ?", remaining,
				token) > 0;
	}

	private boolean writeByFence(long fence, int remaining) {
		return this.jdbc.update("UPDATE stock SET remaining = ? WHERE sku = 'sneaker' AND fence = ?", remaining,
				fence) > 0;
	}

	private int remaining() {
		return this.jdbc.queryForObject("SELECT remaining FROM stock", Integer.class);
	}

}
