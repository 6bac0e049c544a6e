package dev.redlock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lease is released on one thread while another is about to write it once more.
 */
class LateWriteTests extends TwoProcesses {

	@Test
	void whatIsRestoredBehindTheReleaseOfItsLeaseIsTakenBack() {
		Lease lease = acquire(this.here);
		this.servers.get(4).forget();
		this.nodes.get(4).beforeRestore = lease::close;
		assertThat(lease.extend(Duration.ofSeconds(10))).isTrue();
		assertThat(lease.isValid()).isFalse();
		assertThat(this.servers).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
		assertThat(acquire(this.there).isValid()).isTrue();
	}

	@Test
	void anExtensionBehindTheReleaseOfItsLeaseDoesNotProlongWhatIsKeptForAWhile() {
		Lease lease = acquire(this.here, STOCK.withAtLeast(Duration.ofSeconds(3)));
		this.nodes.get(0).beforeExtend = lease::close;
		lease.extend(Duration.ofSeconds(10));
		this.time.advance(Duration.ofMillis(3_001));
		assertThat(this.servers).allSatisfy((server) -> assertThat(server.tokens()).isEmpty());
	}

}
