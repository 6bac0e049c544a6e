package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.spring.redis.NodeFixture.await;
import static dev.redlock.spring.redis.NodeFixture.claim;
import static dev.redlock.spring.redis.NodeFixture.settings;
import static dev.redlock.spring.redis.NodeFixture.unguarded;
import static dev.redlock.spring.redis.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that were called while nobody wrote leave together, and end together when
 * their connection does.
 */
class OneFlushTests {

	private static final int MANY = 100;

	private final RedisProcess redis = RedisProcess.start();

	private final NodeFixture fixture = new NodeFixture();

	@AfterEach
	void tearDown() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void whatManyThreadsCallWhileTheIoThreadIsBusyReachesTheServerInOneRead() throws InterruptedException {
		LockNode node = await(this.fixture.lettuce("flush", this.redis.uri(), unguarded()), State.READY);
		vote(node.inspect("warm"));
		long before = reads();
		List<CompletionStage<Vote>> votes = new ArrayList<>();
		whileTheIoThreadIsHeldUp(node, () -> {
			for (int i = 0; i < MANY; i++) {
				votes.add(node.acquire(claim("k" + i, "t"), this.fixture.fence()));
			}
		});
		votes.forEach((vote) -> assertThat(vote(vote)).isInstanceOf(Granted.class));
		// One for what held up the thread, one or two for the hundred, which are more
		// than one buffer of the server, and one for each look at the counter.
		assertThat(reads() - before).isLessThan(10);
	}

	@Test
	void whatTheAnswersOfOneReadCauseReachesTheServerInOneRead() throws InterruptedException {
		LockNode node = await(this.fixture.lettuce("flush", this.redis.uri(), unguarded()), State.READY);
		vote(node.inspect("warm"));
		long before = reads();
		List<CompletionStage<Vote>> released = new ArrayList<>();
		whileTheIoThreadIsHeldUp(node, () -> {
			for (int i = 0; i < MANY; i++) {
				String key = "k" + i;
				released.add(node.acquire(claim(key, "t"), this.fixture.fence())
					.thenCompose((vote) -> node.release(claim(key, "t"), Duration.ZERO)));
			}
		});
		released.forEach((vote) -> assertThat(vote(vote)).isInstanceOf(Granted.class));
		assertThat(reads() - before).isLessThan(20);
	}

	@Test
	void aBatchThatIsOnItsWayWhenTheServerDiesEndsAsFaultsAndIsNeverSentAgain() {
		LockNode node = await(this.fixture.lettuce("died", this.redis.uri(), settings(false, Duration.ofSeconds(1))),
				State.READY);
		this.redis.freeze();
		List<CompletionStage<Vote>> votes = new ArrayList<>();
		for (int i = 0; i < MANY; i++) {
			votes.add(node.acquire(claim("k" + i, "t"), this.fixture.fence()));
		}
		this.fixture.awaitWritten();
		this.redis.kill();
		for (CompletionStage<Vote> vote : votes) {
			assertThat(vote(vote)).isInstanceOfSatisfying(Faulted.class,
					(faulted) -> assertThat(faulted.mayHaveRun()).isTrue());
		}
		this.redis.startAgain();
		await(node, State.READY);
		assertThat(vote(node.inspect("k0"))).isInstanceOf(Granted.class);
		assertThat(this.redis.<Long>ask((commands) -> commands.dbsize())).isZero();
	}

	@Test
	void aBatchThatComesToAConnectionWhichIsClosedMeanwhileEndsAsFaultsThatDidNotRun() throws InterruptedException {
		LettuceLockNode node = await(this.fixture.lettuce("closed", this.redis.uri(), unguarded()), State.READY);
		List<CompletionStage<Vote>> votes = new ArrayList<>();
		CountDownLatch closing = new CountDownLatch(1);
		whileTheIoThreadIsHeldUp(node, () -> {
			for (int i = 0; i < MANY; i++) {
				votes.add(node.acquire(claim("k" + i, "t"), this.fixture.fence()));
			}
			Thread closer = new Thread(() -> {
				closing.countDown();
				node.close();
			});
			closer.start();
			awaitLatch(closing);
			// The node is closed for callers before its connection begins to be.
			await(node, State.UNAVAILABLE);
			awaitBlocked(closer);
		});
		for (CompletionStage<Vote> vote : votes) {
			assertThat(vote(vote)).isInstanceOfSatisfying(Faulted.class,
					(faulted) -> assertThat(faulted.mayHaveRun()).isFalse());
		}
		assertThat(this.redis.<Long>ask((commands) -> commands.dbsize())).isZero();
	}

	@Test
	void aFloodIsRefusedAtOnceWhenTooManyWaitForTheIoThread() throws InterruptedException {
		LockNode node = await(this.fixture.lettuce("flood", this.redis.uri(), unguarded()), State.READY);
		List<Vote> refused = new ArrayList<>();
		whileTheIoThreadIsHeldUp(node, () -> {
			for (int i = 0; i < NodeClient.LONGEST_QUEUE; i++) {
				node.inspect("k");
			}
			refused.add(node.inspect("k").toCompletableFuture().getNow(null));
		});
		assertThat(refused).singleElement().isInstanceOfSatisfying(Faulted.class, (faulted) -> {
			assertThat(faulted.detail()).contains("Too many");
			assertThat(faulted.mayHaveRun()).isFalse();
		});
	}

	/**
	 * Holds up the I/O thread in an answer, as no code of ours ever does.
	 */
	private static void whileTheIoThreadIsHeldUp(LockNode node, Runnable calls) throws InterruptedException {
		CountDownLatch heldUp = new CountDownLatch(1);
		CountDownLatch called = new CountDownLatch(1);
		node.inspect("hold").thenRun(() -> {
			heldUp.countDown();
			awaitLatch(called);
		});
		assertThat(heldUp.await(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		Thread caller = new Thread(calls);
		caller.start();
		caller.join(NodeFixture.BOUND.toMillis());
		called.countDown();
	}

	private static void awaitBlocked(Thread thread) {
		org.awaitility.Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.until(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private long reads() {
		String stats = this.redis.ask((commands) -> commands.info("stats"));
		return stats.lines()
			.filter((line) -> line.startsWith("total_reads_processed:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
			.findFirst()
			.orElseThrow();
	}

}
