package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

import dev.redlock.internal.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

class FenceTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void fencesOfOneResourceAlwaysRise() {
		Redlock other = this.world.another(LockWorld.settings(), 2);
		long last = 0;
		for (int i = 0; i < 100; i++) {
			Redlock next = (i % 3 == 0) ? other : this.world.redlock;
			Lease lease = next.attemptAndWait(STOCK).orThrow();
			assertThat(lease.fence()).isGreaterThan(last);
			last = lease.fence();
			lease.close();
		}
	}

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
			Lease lease = this.world.redlock.attemptAndWait(STOCK).orThrow();
			assertThat(lease.fence()).isGreaterThan(last);
			last = lease.fence();
			lease.close();
			this.world.time.advance(Duration.ofMillis(random.nextInt(5)));
		}
	}

	@Test
	void aMajorityCountsTheSameFenceWhenItIsHandedOut() {
		long ahead = this.world.time.epochMicros() + 10_000_000;
		Claim burnt = new Claim(List.of("redlock:stock"), "x", Duration.ofSeconds(9));
		for (int i = 0; i < 2; i++) {
			this.world.nodes.get(i).acquire(burnt, ahead + i);
			this.world.nodes.get(i).release(burnt, Duration.ZERO);
		}
		Lease lease = this.world.redlock.attemptAndWait(STOCK).orThrow();
		long exact = this.world.nodes.stream().filter((node) -> counterOf(node, lease) == lease.fence()).count();
		assertThat(exact).isGreaterThanOrEqualTo(3);
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
	void aNodeThatGrantedLateAndAboveTheFenceCountsForAnExtension() {
		LockWorld three = new LockWorld(3);
		InMemoryNode late = three.nodes.get(2);
		Claim burnt = new Claim(List.of("redlock:stock"), "x", Duration.ofSeconds(9));
		late.acquire(burnt, three.time.epochMicros() + 3_000_000);
		late.release(burnt, Duration.ZERO);
		DelayedNode slow = new DelayedNode(late, three.time, Duration.ofMillis(1), new SplittableRandom(1));
		Redlock redlock = three.over(List.of(three.nodes.get(0), three.nodes.get(1), slow), LockWorld.settings(), 1)
			.build();
		Lease lease = redlock.attemptAndWait(STOCK).orThrow();
		three.time.advance(Duration.ofMillis(5));
		three.nodes.get(0).down();
		CompletionStage<Boolean> extended = lease.extendAsync(Duration.ofSeconds(20));
		three.time.advance(Duration.ofMillis(5));
		assertThat(extended).isCompletedWithValue(true);
		assertThat(counterOf(late, lease)).isGreaterThan(lease.fence());
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

	/** The next grant shows the counter, so this ends the lease on the node. */
	private static long counterOf(InMemoryNode node, Lease lease) {
		Claim claim = new Claim(List.of("redlock:stock"), Internals.token(lease), Duration.ofSeconds(1));
		node.release(claim, Duration.ZERO);
		Vote vote = completed(node.acquire(claim, lease.fence() - 1_000_000));
		return ((Vote.Granted) vote).fence() - 1;
	}

}
