package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class FenceTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void fencesRiseWhateverMinorityAnswersAndWhateverTheCountersAre() {
		SplittableRandom random = new SplittableRandom(42);
		long last = 0;
		for (int i = 0; i < 500; i++) {
			this.world.nodes.forEach(InMemoryNode::up);
			for (int down = 0; down < 2; down++) {
				InMemoryNode node = this.world.nodes.get(random.nextInt(5));
				// Failed attempts of others leave counters of any height behind.
				Claim burnt = new Claim(List.of("redlock:stock"), "x" + i, Duration.ofSeconds(9));
				node.acquire(burnt, this.world.time.epochMicros() + random.nextInt(1_000_000));
				node.release(burnt, Duration.ZERO);
				node.down();
			}
			// A process that has just started knows no earlier fence.
			Redlock fresh = this.world.over(this.world.counted, RedlockSettings.DEFAULTS, i).build();
			Lease lease = fresh.attemptAndWait(STOCK).orThrow();
			assertThat(lease.fence()).isGreaterThan(last);
			last = lease.fence();
			lease.close();
			fresh.close();
			this.world.time.advance(Duration.ofMillis(random.nextInt(5)));
		}
	}

	@Test
	void aNodeWhoseCounterIsFarAboveDoesNotStopTheOthers() {
		Claim burnt = new Claim(List.of("redlock:stock"), "x", Duration.ofSeconds(9));
		this.world.nodes.get(4).acquire(burnt, this.world.time.epochMicros() + 30_000_000);
		this.world.nodes.get(4).release(burnt, Duration.ZERO);
		for (int i = 0; i < 10; i++) {
			this.world.redlock.attemptAndWait(STOCK).orThrow().close();
		}
	}

	@Test
	void theFenceOfALeaseStaysWhenItIsExtended() {
		Lease lease = this.world.acquire("stock");
		long fence = lease.fence();
		lease.extend(Duration.ofSeconds(20));
		assertThat(lease.fence()).isEqualTo(fence);
		lease.close();
		assertThat(this.world.acquire("stock").fence()).isGreaterThan(fence);
	}

}
