package dev.redlock.spring.fencing;

import java.util.function.Consumer;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Claims in calls that nest over several names.
 */
class NestedClaimTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	@Test
	void rightfulHolderIsNeverRefusedByTheResourceThatItClaimsInNestedWork() {
		FencedResource row = new FencedResource("the row of a");
		under("a", (a) -> {
			row.claim(CurrentLease.require().fence());
			under("b", (b) -> {
				row.claim(CurrentLease.require("a").fence());
				under("a", (again) -> row.claim(CurrentLease.require().fence()));
				under("a", "b", (both) -> row.claim(both.fence("a")));
			});
			row.claim(CurrentLease.require().fence());
			assertThat(row.highest()).isEqualTo(a.fence());
		});
	}

	@Test
	void aPermitIsRefusedByAGuardWithTheReason() {
		FencedResource row = new FencedResource("the row of ocr");
		under(this.world.now("ocr").withPermits(2),
				(permit) -> assertThatIllegalStateException().isThrownBy(() -> row.claim("ocr"))
					.withMessageContaining("has 2 permits, so its leases have no fence"));
		assertThat(row.highest()).isZero();
	}

	private void under(String name, Consumer<Lease> work) {
		under(this.world.now(name), work);
	}

	private void under(String one, String other, Consumer<Lease> work) {
		under(this.world.now(one, other), work);
	}

	private void under(LockRequest request, Consumer<Lease> work) {
		this.template.execute(request, (lease) -> {
			work.accept(lease);
			return null;
		});
	}

}
