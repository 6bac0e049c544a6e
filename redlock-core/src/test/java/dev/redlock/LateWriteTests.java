package dev.redlock;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.Claim;
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
		// The lease is restored on a node that had refused it.
		this.world.nodes.get(4)
			.acquire(new Claim(List.of("redlock:stock"), "x", Duration.ofSeconds(9)), this.world.time.epochMicros());
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
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.counted.get(0).beforeExtend = lease::close;
		lease.extend(Duration.ofSeconds(10));
		this.world.time.advance(Duration.ofMillis(2_001));
		assertThat(this.world.nodes).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
	}

}
