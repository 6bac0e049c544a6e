package dev.redlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The thread of the event loop must not wait for itself.
 */
class BlockingOnTheLoopTests {

	@RegisterExtension
	final LockWorld world = new LockWorld();

	@Test
	void aBlockingRequestOnTheLoopIsRefused() {
		this.world.time.execute(() -> assertThatIllegalStateException()
			.isThrownBy(() -> this.world.redlock.attemptAndWait(this.world.now("stock")))
			.withMessageContaining("asynchronous form"));
		assertThat(this.world.isHeld("stock")).isFalse();
	}

	@Test
	void aBlockingExtensionOnTheLoopIsRefusedAndDoesNotExtend() {
		Lease lease = this.world.acquire("stock");
		this.world.time.advance(Duration.ofSeconds(5));
		this.world.time
			.execute(() -> assertThatIllegalStateException().isThrownBy(() -> lease.extend(Duration.ofSeconds(30)))
				.withMessageContaining("asynchronous form"));
		assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(26));
		lease.close();
	}

	@Test
	void closingALeaseOnTheLoopDoesNotWait() {
		Redlock awaiting = this.world.another(LockWorld.awaitingRelease(), 5);
		Lease lease = this.world.acquire(awaiting, this.world.now("till"));
		this.world.time.execute(lease::close);
		assertThat(this.world.isHeld("till")).isFalse();
	}

}
