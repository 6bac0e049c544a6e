package dev.redlock.spring.fencing;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compares a resource that keeps the random token of its holder with one that keeps the
 * fence. A former holder has stood still for longer than its lease, and the current
 * holder has claimed the row meanwhile.
 */
class RandomTokenTests extends GuardedStock {

	private static final String FORMER = "8d0f3a";

	private static final String CURRENT = "1c77e2";

	private static final long FORMER_FENCE = 7;

	private static final long CURRENT_FENCE = 9;

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

}
