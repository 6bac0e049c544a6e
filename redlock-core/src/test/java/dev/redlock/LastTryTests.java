package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.LockWorld.Answers;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When the first request of a queue tries next, after others have joined or left it.
 */
@ParameterizedClass
@EnumSource
class LastTryTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ofSeconds(30));

	@RegisterExtension
	final LockWorld world;

	LastTryTests(Answers answers) {
		this.world = new LockWorld(5, answers);
	}

	/** Like {@code theLastTryComesANodeTimeoutBeforeTheEndOfTheWait}, with a joiner. */
	@Test
	void theLastTryComesAlsoIfAnotherRequestHasJoinedTheQueueMeanwhile() {
		Lease held = this.world.acquire(this.world.other, STOCK.withTtl(Duration.ofSeconds(60)));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofSeconds(5));
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(10)));
		this.world.time.advance(Duration.ofSeconds(4));
		this.world.counted.forEach((node) -> node.silent = true);
		held.close();
		this.world.time.advance(Duration.ofMillis(600));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	/** The same with an owner of another library, which does not announce. */
	@Test
	void theLastTryComesBesideASilentOwnerAlsoIfAnotherRequestHasJoined() {
		Claim foreign = new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(60));
		this.world.nodes.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		LockRequest slow = STOCK.withRetryDelay(Duration.ofSeconds(30)).withWaitFor(Duration.ofSeconds(10));
		CompletableFuture<LockAttempt> waiter = this.world.attempt(slow);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.attempt(slow);
		this.world.nodes.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.world.answered(waiter).lease()).isPresent();
	}

	@Test
	void aRequestBehindOneThatGaveUpPollsByItsOwnRetryDelay() {
		Claim foreign = new Claim(List.of("redlock:stock"), "foreign", Duration.ofSeconds(60));
		this.world.nodes.forEach((node) -> node.acquire(foreign, Claim.UNFENCED));
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(1)).withRetryDelay(Duration.ofMinutes(5)));
		CompletableFuture<LockAttempt> second = this.world
			.attempt(STOCK.withWaitFor(Duration.ofSeconds(30)).withRetryDelay(Duration.ofMillis(200)));
		this.world.time.advance(Duration.ofSeconds(2));
		this.world.nodes.forEach((node) -> node.release(foreign, Duration.ZERO, false));
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(second).as("the lock has been free for 5 s, and the retry delay is 200 ms").isDone();
	}

	@Test
	void aRequestBehindOneThatGaveUpWithoutAQuorumPollsByItsOwnRetryDelay() {
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.attempt(STOCK.withWaitFor(Duration.ofSeconds(1)).withRetryDelay(Duration.ofMinutes(5)));
		CompletableFuture<LockAttempt> second = this.world
			.attempt(STOCK.withWaitFor(Duration.ofSeconds(30)).withRetryDelay(Duration.ofMillis(200)));
		this.world.time.advance(Duration.ofSeconds(2));
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(second).as("all nodes have been up for 5 s, and the retry delay is 200 ms").isDone();
	}

}
