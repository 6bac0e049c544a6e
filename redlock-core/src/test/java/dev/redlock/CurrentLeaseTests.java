package dev.redlock;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CurrentLeaseTests {

	private final RedlockFixture fixture = new RedlockFixture(3);

	@Test
	void scopesNestAndEnd() {
		Lease a = this.fixture.acquire("a");
		Lease b = this.fixture.acquire("b");
		CurrentLease.Scope outer = CurrentLease.open(a);
		CurrentLease.Scope inner = CurrentLease.open(b);
		assertThat(CurrentLease.require()).isSameAs(b);
		assertThat(CurrentLease.forResource("a")).containsSame(a);
		inner.close();
		assertThat(CurrentLease.get()).containsSame(a);
		assertThat(CurrentLease.forResource("b")).isEmpty();
		outer.close();
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void requireOutsideOfALockSaysWhatToDo() {
		assertThatIllegalStateException().isThrownBy(CurrentLease::require).withMessageContaining("@RedLock");
	}

}
