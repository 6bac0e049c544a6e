package dev.redlock;

import java.lang.ref.WeakReference;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases that nobody closes.
 */
class ForgottenLeaseTests extends TwoProcesses {

	@Test
	void aLeaseThatHasExpiredIsNotReleasedAtShutdown() {
		for (int i = 0; i < 100; i++) {
			acquire(this.here, LockRequest.of("stock-" + i));
		}
		this.time.advance(Duration.ofSeconds(11));
		this.here.close();
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.releases).hasValue(0));
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aLeaseThatHasExpiredIsNotKept() {
		WeakReference<Lease> lease = new WeakReference<>(acquire(this.here));
		this.time.advance(Duration.ofSeconds(11));
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			System.gc();
			assertThat(lease.get()).isNull();
		});
	}

	@Test
	void aLostLeaseThatNodesMayStillHoldIsReleasedAtShutdown() {
		Lease lost = acquire(this.here);
		this.servers.subList(0, 3).forEach((server) -> server.forget());
		assertThat(lost.extend(Duration.ofSeconds(10))).isFalse();
		assertThat(this.servers.get(4).tokens()).isNotEmpty();
		this.here.close();
		assertThat(this.servers).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
	}

}
