package dev.redlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease is released on one thread while another is about to write it once more.
 */
class LateWriteTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void whatIsRestoredBehindTheReleaseOfItsLeaseIsTakenBack() {
		Lease lease = this.world.acquire(this.world.redlock, STOCK);
		this.world.nodes.get(4).forget();
		this.world.counted.get(4).beforeRestore = lease::close;
		assertThat(lease.extend(Duration.ofSeconds(10))).isTrue();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.world.nodes).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
		assertThat(this.world.acquire(this.world.other, STOCK).isValid()).isTrue();
	}

	@Test
	void anExtensionBehindTheReleaseOfItsLeaseDoesNotProlongWhatIsKeptForAWhile() {
		Lease lease = this.world.acquire(this.world.redlock, STOCK.withAtLeast(Duration.ofSeconds(3)));
		this.world.counted.get(0).beforeExtend = lease::close;
		lease.extend(Duration.ofSeconds(10));
		this.world.time.advance(Duration.ofMillis(3_001));
		assertThat(this.world.nodes).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
	}

}
