package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where one request of a process follows the other without a word, and then fails, other
 * processes hear of it.
 */
class SwallowedAnnouncementTests {

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(60))
		.withWaitFor(Duration.ofSeconds(50));

	/**
	 * Gives up a little after one second, when the nodes have not answered for 100 ms.
	 */
	private static final LockRequest IN_A_HURRY = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(2))
		.withWaitFor(Duration.ofMillis(1020));

	@RegisterExtension
	final LockWorld world = LockWorld.distant(1, 5);

	private final List<DelayedNode> connections = this.world.connect();

	private final Redlock here = this.world.process(this.world.over(this.connections));

	private final Redlock there = this.world.distantProcess();

	@Test
	void otherProcessesAreToldOfALockThatTwoRequestsHereCouldNotTake() {
		CompletableFuture<LockAttempt> holder = attempt(this.here, STOCK);
		advance(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> next = attempt(this.here, IN_A_HURRY);
		CompletableFuture<LockAttempt> last = attempt(this.here, IN_A_HURRY.withWaitFor(Duration.ofMillis(2500)));
		CompletableFuture<LockAttempt> other = attempt(this.there, STOCK);
		advance(Duration.ofSeconds(1));
		this.connections.forEach((node) -> node.acquiresNothing = true);
		completed(holder).orThrow().close();
		advance(Duration.ofMillis(100));
		assertThat(completed(next).lease()).isEmpty();
		assertThat(last).isNotDone();
		this.connections.subList(0, 2).forEach((node) -> node.acquiresNothing = false);
		advance(Duration.ofSeconds(2));
		assertThat(completed(last).lease()).isEmpty();
		assertThat(other).as("the lock is free, and the other process waits for it").isCompleted();
		assertThat(completed(other).lease()).isPresent();
	}

	@Test
	void aRequestForSeveralNamesIsToldOfTheRelease() {
		CompletableFuture<LockAttempt> holder = attempt(this.here, STOCK);
		advance(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> next = attempt(this.here, STOCK);
		CompletableFuture<LockAttempt> both = attempt(this.here, STOCK.withResources(List.of("stock", "till")));
		advance(Duration.ofSeconds(1));
		completed(holder).orThrow().close();
		advance(Duration.ofMillis(5));
		assertThat(both).as("due before the next request for one name").isCompleted();
		completed(both).orThrow().close();
		advance(Duration.ofMillis(100));
		assertThat(completed(next).lease()).isPresent();
	}

	@Test
	void otherProcessesAreToldOfAReleaseThatArrivesOnlyWhenItIsRepeated() {
		CompletableFuture<LockAttempt> holder = attempt(this.here, STOCK);
		advance(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> next = attempt(this.here, IN_A_HURRY);
		CompletableFuture<LockAttempt> other = attempt(this.there, STOCK);
		advance(Duration.ofSeconds(1));
		this.connections.forEach((node) -> node.broken = true);
		completed(holder).orThrow().close();
		advance(Duration.ofMillis(50));
		assertThat(completed(next).lease()).isEmpty();
		this.connections.forEach((node) -> node.broken = false);
		advance(Duration.ofSeconds(1));
		assertThat(other).as("the lock is free, and the other process waits for it").isCompleted();
		assertThat(completed(other).lease()).isPresent();
	}

	@Test
	void otherProcessesAreToldOfALockThatIsKeptForAMinimumTime() {
		CompletableFuture<LockAttempt> holder = attempt(this.here, STOCK.withAtLeast(Duration.ofSeconds(5)));
		advance(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> next = attempt(this.here, IN_A_HURRY);
		CompletableFuture<LockAttempt> other = attempt(this.there, STOCK);
		advance(Duration.ofMillis(500));
		completed(holder).orThrow().close();
		advance(Duration.ofSeconds(5));
		assertThat(completed(next).lease()).isEmpty();
		assertThat(other).as("long before the ttl of the holder is over").isCompleted();
		assertThat(completed(other).lease()).isPresent();
	}

	@Test
	void noRefusedTryIsAnnouncedOnceALeaseHasFollowedAHandover() {
		CompletableFuture<LockAttempt> holder = attempt(this.here, STOCK);
		advance(Duration.ofMillis(100));
		CompletableFuture<LockAttempt> next = attempt(this.here, STOCK);
		CompletableFuture<LockAttempt> other = attempt(this.there, STOCK);
		advance(Duration.ofSeconds(1));
		completed(holder).orThrow().close();
		advance(Duration.ofMillis(5));
		completed(next).orThrow().close();
		advance(Duration.ofMillis(100));
		assertThat(completed(other).lease()).isPresent();
		int announced = this.world.counted.get(0).announced.get();
		CompletableFuture<LockAttempt> refused = attempt(this.here, STOCK.withWaitFor(Duration.ZERO));
		advance(Duration.ofMillis(5));
		assertThat(completed(refused).lease()).isEmpty();
		assertThat(this.world.counted.get(0).announced).hasValue(announced);
	}

	private void advance(Duration step) {
		this.world.time.advance(step);
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request).toCompletableFuture();
	}

}
