package dev.redlock.spring.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Work that ends right after its lease was lost says why it was lost, although the
 * threads for callbacks had no time to tell of it yet.
 */
class WhyItEndedTests {

	private final LockWorld world = new LockWorld();

	/** Callbacks that wait for a thread. */
	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final Redlock redlock = Redlock.over(this.world.nodes)
		.settings(RedlockSettings.DEFAULTS)
		.ticker(this.world.time)
		.loop(this.world.time)
		.random(new SplittableRandom(1))
		.callbacks(this.callbacks::add)
		.build();

	private final RedLockTemplate template = new RedLockTemplate(this.redlock, Runnable::run);

	@Test
	void workThatEndsRightAfterItsLeaseWasRevokedSaysSo() {
		assertThat(reasonAfter((lease) -> this.redlock.revoke("stock:1"))).isEqualTo(LossReason.REVOKED);
	}

	@Test
	void workThatClosesItsLeaseTooLateSaysThatItWasLost() {
		assertThat(reasonAfter((lease) -> {
			this.world.time.advance(LockWorld.TOO_LONG);
			lease.close();
		})).isEqualTo(LossReason.EXPIRED);
	}

	private LossReason reasonAfter(Consumer<Lease> loss) {
		return catchThrowableOfType(LockLostException.class,
				() -> this.template.execute(this.world.now("stock:1"), (lease) -> {
					loss.accept(lease);
					return "done";
				}))
			.reason();
	}

}
