package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node that is spread over several servers grants a claim on several keys in part, and
 * takes that back a moment later, without an announcement. It also releases such a claim
 * in parts.
 */
class PartialClaimTests {

	private static final LockRequest A = LockRequest.of("a");

	private static final LockRequest B = LockRequest.of("b").withWaitFor(Duration.ofSeconds(30));

	private static final LockRequest BOTH = LockRequest.of("a", "b").withWaitFor(Duration.ofMinutes(1));

	private static final Duration A_MOMENT = Duration.ofMillis(500);

	private static final int WORLDS = 100;

	@Test
	void aWaiterThatWasRefusedBecauseOfAPartOfAClaimDoesNotSleepBesideAFreeLock() {
		List<Integer> asleep = IntStream.range(0, WORLDS).filter((seed) -> {
			LockWorld world = LockWorld.distant(seed, 3);
			acquire(world, world.distantProcess(), A);
			Lease b = acquire(world, world.distantProcess(), B);
			attempt(process(world), BOTH);
			CompletableFuture<LockAttempt> waiter = attempt(world.distantProcess(), B);
			world.time.advance(Duration.ofSeconds(1));
			b.close();
			world.time.advance(A_MOMENT);
			return !waiter.isDone();
		}).boxed().toList();
		assertThat(asleep).as("worlds in which the waiter sleeps").isEmpty();
	}

	@Test
	void aWaiterThatHearsOfAPartOfAReleaseDoesNotSleepBesideAFreeLock() {
		List<Integer> asleep = IntStream.range(0, WORLDS).filter((seed) -> {
			LockWorld world = LockWorld.distant(seed, 3);
			Lease held = acquire(world, process(world), BOTH);
			CompletableFuture<LockAttempt> waiter = attempt(world.distantProcess(), BOTH);
			world.time.advance(Duration.ofSeconds(1));
			held.close();
			world.time.advance(A_MOMENT);
			return !waiter.isDone();
		}).boxed().toList();
		assertThat(asleep).as("worlds in which the waiter sleeps").isEmpty();
	}

	private static Lease acquire(LockWorld world, Redlock process, LockRequest request) {
		CompletableFuture<LockAttempt> attempt = attempt(process, request);
		world.time.advance(A_MOMENT);
		return completed(attempt).orThrow();
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return process.attempt(request.withTtl(Duration.ofSeconds(60))).toCompletableFuture();
	}

	private static Redlock process(LockWorld world) {
		List<SpreadNode> nodes = world.connect().stream().map((node) -> new SpreadNode(node, world.time)).toList();
		return world.process(world.over(nodes));
	}

	/**
	 * Has each key on a server of its own.
	 */
	private static final class SpreadNode extends CountingNode {

		private final LockNode node;

		private final ManualTime time;

		private SpreadNode(LockNode node, ManualTime time) {
			super(node);
			this.node = node;
			this.time = time;
		}

		@Override
		public CompletionStage<Vote> acquire(Claim claim, long fence) {
			List<Claim> parts = parts(claim);
			List<CompletionStage<Vote>> asked = parts.stream().map((part) -> this.node.acquire(part, fence)).toList();
			return all(asked).thenApply((votes) -> {
				Vote refusal = votes.stream()
					.filter((vote) -> !(vote instanceof Vote.Granted))
					.findFirst()
					.orElse(null);
				if (refusal != null) {
					parts.forEach((part) -> this.node.release(part, Duration.ZERO, false));
				}
				return (refusal != null) ? refusal : votes.get(0);
			});
		}

		@Override
		public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
			List<CompletionStage<Vote>> asked = new ArrayList<>();
			for (Claim part : parts(claim)) {
				CompletableFuture<Vote> answer = new CompletableFuture<>();
				// The servers are not equally fast.
				this.time.schedule(Duration.ofMillis(5 * asked.size()),
						() -> this.node.release(part, keep, announce).thenAccept(answer::complete));
				asked.add(answer);
			}
			return all(asked).thenApply((votes) -> votes.get(0));
		}

		@Override
		public boolean announces(List<String> keys) {
			return keys.size() == 1;
		}

		private static CompletableFuture<List<Vote>> all(List<CompletionStage<Vote>> asked) {
			List<CompletableFuture<Vote>> futures = asked.stream().map(CompletionStage::toCompletableFuture).toList();
			return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
				.thenApply((done) -> futures.stream().map(CompletableFuture::join).toList());
		}

		private static List<Claim> parts(Claim claim) {
			return claim.keys().stream().map((key) -> new Claim(List.of(key), claim.token(), claim.ttl())).toList();
		}

	}

}
