package dev.redlock;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CurrentLeaseTests {

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	@Test
	void scopesNestAndEnd() {
		Lease a = this.world.acquire("a");
		Lease b = this.world.acquire("b");
		CurrentLease outer = CurrentLease.open(a);
		CurrentLease inner = CurrentLease.open(b);
		assertThat(CurrentLease.require()).isSameAs(b);
		assertThat(CurrentLease.forResource("a")).containsSame(a);
		inner.close();
		assertThat(CurrentLease.get()).containsSame(a);
		assertThat(CurrentLease.forResource("b")).isEmpty();
		outer.close();
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void replacedLeasesAreHiddenUntilTheScopeEnds() {
		Lease a = this.world.acquire("a");
		Lease b = this.world.acquire("b");
		Lease c = this.world.acquire("c");
		CurrentLease outer = CurrentLease.open(a);
		CurrentLease replaced = CurrentLease.replaceBy(List.of(c, b));
		assertThat(CurrentLease.all()).containsExactly(c, b);
		CurrentLease inner = CurrentLease.open(a);
		assertThat(CurrentLease.all()).containsExactly(a, c, b);
		inner.close();
		assertThat(CurrentLease.all()).containsExactly(c, b);
		replaced.close();
		assertThat(CurrentLease.all()).containsExactly(a);
		outer.close();
		assertThat(CurrentLease.all()).isEmpty();
	}

	@Test
	void requireOutsideOfALockSaysWhatToDo() {
		assertThatIllegalStateException().isThrownBy(CurrentLease::require).withMessageContaining("@RedLock");
	}

	@Test
	void requireOfAResourceThatIsNotHeldSaysWhatIsHeld() {
		assertThatIllegalStateException().isThrownBy(() -> CurrentLease.require("a"))
			.withMessageContaining("the lock on a, and the current thread holds no lock");
		CurrentLease outer = CurrentLease.open(this.world.acquire("b"));
		CurrentLease inner = CurrentLease.open(this.world.acquire("c"));
		assertThat(CurrentLease.require("b").fence()).isEqualTo(CurrentLease.all().get(1).fence());
		assertThatIllegalStateException().isThrownBy(() -> CurrentLease.require("a"))
			.withMessageContaining("the lock on a, and the current thread holds only the lock on [b, c]");
		inner.close();
		outer.close();
	}

	@Test
	void fenceOfOneNameIsThatOfTheLeaseOnIt() {
		Lease lease = this.world.acquire("a");
		assertThat(lease.fence("a")).isEqualTo(lease.fence());
		assertThat(lease.forResource("a")).isSameAs(lease);
		assertThatIllegalArgumentException().isThrownBy(() -> lease.fence("b"))
			.withMessageContaining("covers [a] and not 'b'");
	}

}
