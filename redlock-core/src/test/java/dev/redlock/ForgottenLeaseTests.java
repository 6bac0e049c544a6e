package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases that nobody closes.
 */
class ForgottenLeaseTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void aLeaseThatHasExpiredIsNotKept() {
		WeakReference<Lease> lease = new WeakReference<>(this.world.acquire(this.world.redlock, STOCK));
		this.world.time.advance(Duration.ofSeconds(11));
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			System.gc();
			assertThat(lease.get()).isNull();
		});
	}

	@Test
	void aLostLeaseThatNodesMayStillHoldIsReleasedAtShutdown() {
		Lease lost = this.world.acquire(this.world.redlock, STOCK);
		this.world.nodes.subList(0, 3).forEach((server) -> server.forget());
		assertThat(lost.extend(Duration.ofSeconds(10))).isFalse();
		assertThat(this.world.nodes.get(4).tokens()).isNotEmpty();
		this.world.redlock.close();
		assertThat(this.world.nodes).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
	}

}
