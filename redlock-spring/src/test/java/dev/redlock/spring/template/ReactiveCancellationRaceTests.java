package dev.redlock.spring.template;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockWorld;
import dev.redlock.memory.InMemoryNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveCancellationRaceTests {

	private static final int ROUNDS = 5_000;

	private static final int LONGEST_SPIN = 5_000;

	private final LockWorld world = new LockWorld();

	private final ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.parallel());

	private final AtomicInteger ran = new AtomicInteger();

	@Test
	void cancellingWhileTheLeaseIsOnItsWayLeavesNothingBehind() {
		long seed = System.nanoTime();
		System.out.println("Cancellation race with seed " + seed);
		SplittableRandom random = new SplittableRandom(seed);
		for (int round = 0; round < ROUNDS; round++) {
			String name = "stock:" + round;
			Disposable subscription = this.template
				.execute(this.world.now(name),
						(lease) -> Mono.fromSupplier(this.ran::incrementAndGet).then(Mono.never()))
				.subscribe();
			for (int spin = random.nextInt(LONGEST_SPIN); spin > 0; spin--) {
				Thread.onSpinWait();
			}
			subscription.dispose();
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.until(() -> this.world.nodes.stream().map(InMemoryNode::tokens).allMatch((tokens) -> tokens.isEmpty()));
		assertThat(this.world.time.pending()).isZero();
		System.out.println("The work ran in " + this.ran + " of " + ROUNDS + " rounds");
	}

}
