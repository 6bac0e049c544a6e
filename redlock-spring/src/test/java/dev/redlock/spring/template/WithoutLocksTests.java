package dev.redlock.spring.template;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WithoutLocksTests {

	private static final LockRequest REQUEST = LockRequest.of("stock:42", "stock:43");

	private final RedLockOperations operations = RedLockOperations.withoutLocks();

	@Test
	void workRunsUnderALeaseThatIsValid() {
		String result = this.operations.execute(REQUEST, (lease) -> {
			RedLockAssert.assertLocked("stock:42", "stock:43");
			assertThat(CurrentLease.require()).isSameAs(lease);
			assertThat(lease.resources()).containsExactly("stock:42", "stock:43");
			assertThat(lease.isValid()).isTrue();
			return "done";
		});
		assertThat(result).isEqualTo("done");
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void itsFenceIsTheTimeSoThatARowWithTheFenceOfARealLockCanBeClaimed() {
		long before = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
		assertThat(this.operations.acquire(REQUEST).fence()).isBetween(before, before + 60_000_000);
	}

	@Test
	void itsLeaseCanBeExtended() {
		Lease lease = this.operations.acquire(REQUEST);
		assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
		assertThat(lease.extendAsync(Duration.ofSeconds(1))).isCompletedWithValue(true);
	}

	@Test
	void asynchronousWorkCompletesTheFuture() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		CompletableFuture<String> result = this.operations.executeAsync(REQUEST, (lease) -> {
			RedLockAssert.assertLocked("stock:42");
			return stage;
		});
		assertThat(result).isNotDone();
		stage.complete("done");
		assertThat(result).isCompletedWithValue("done");
		assertThat(CurrentLease.get()).isEmpty();
	}

}
