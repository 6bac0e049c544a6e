package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands that were called while nobody wrote leave together, and end together when
 * their connection does.
 */
class OneFlushTests {

	private static final int MANY = 100;

	private final NodeFixture fixture = new NodeFixture();

	private final RedisProcess redis = this.fixture.server();

	private final FlushCount count = new FlushCount();

	private final ClientResources shared = ClientResources.builder().nettyCustomizer(this.count).build();

	private final NodeResources resources = NodeResources.sharing(this.shared);

	@AfterEach
	void tearDown() {
		this.fixture.close();
		this.resources.close();
		this.shared.shutdown();
	}

	@Test
	void whatIsCalledWhileTheIoThreadIsBusyLeavesInOneFlush() throws InterruptedException {
		LockNode node = node();
		vote(node.inspect("warm"));
		int before = this.count.flushes();
		List<CompletionStage<Vote>> votes = new ArrayList<>();
		whileTheIoThreadIsHeldUp(() -> {
			for (int i = 0; i < MANY; i++) {
				votes.add(node.acquire(claim("k" + i, "t"), this.fixture.fence()));
			}
		});
		votes.forEach((vote) -> assertThat(vote(vote)).isInstanceOf(Granted.class));
		assertThat(this.count.flushes() - before).isOne();
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
	void aFloodOfClaimsLeavesPlacesForWhatEndsLeases() {
		LockNode node = node();
		Claim held = new Claim(List.of("held"), "t1", Duration.ofSeconds(10));
		assertThat(vote(node.acquire(held, Claim.UNFENCED))).isInstanceOf(Granted.class);
		List<Vote> refused = new ArrayList<>();
		List<CompletionStage<Vote>> sent = new ArrayList<>();
		CompletableFuture.runAsync(() -> {
			Claim claim = new Claim(List.of("k"), "t2", Duration.ofSeconds(10));
			for (int i = 0; i < NodeSettings.LONGEST_QUEUE / 2; i++) {
				node.inspect("k");
			}
			refused.add(node.acquire(claim, Claim.UNFENCED).toCompletableFuture().getNow(null));
			refused.add(node.inspectAll(List.of("k")).toCompletableFuture().getNow(null));
			sent.add(node.extend(held, Claim.UNFENCED));
			sent.add(node.release(held, Duration.ZERO));
		}, this.resources.loop()).join();
		assertThat(refused).hasSize(2).allSatisfy((vote) -> assertThat(vote).isInstanceOf(Faulted.class));
		assertThat(sent).allSatisfy((vote) -> assertThat(vote(vote)).isInstanceOf(Granted.class));
	}

	/**
	 * Holds up the I/O thread, as no code of ours ever does.
	 */
	private void whileTheIoThreadIsHeldUp(Runnable calls) throws InterruptedException {
		CountDownLatch heldUp = new CountDownLatch(1);
		CountDownLatch called = new CountDownLatch(1);
		this.resources.loop().execute(() -> {
			heldUp.countDown();
			awaitLatch(called);
		});
		awaitLatch(heldUp);
		Thread caller = new Thread(calls);
		caller.start();
		caller.join(NodeFixture.BOUND.toMillis());
		called.countDown();
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private RedisLockNode node() {
		RedisClient client = RedisClient.create(this.resources.clientResources(), this.redis.uri());
		return await(this.fixture.lettuce("node", client, unguarded(), this.resources.loop(), this.fixture.ticker),
				State.READY);
	}

}
