package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class LettuceLockNodeFaultTests {

	private static final Duration SHORT_TTL = Duration.ofSeconds(1);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final RedisProcess redis = this.fixture.closing(RedisProcess.prepare());

	@Test
	void aNodeThatIsDownAtStartFailsFastAndJoinsWhenItComes() {
		LockNode node = this.fixture.lettuce("late", this.redis.uri(), unguarded());
		Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t"), fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.UNAVAILABLE);
		assertThat(faulted.mayHaveRun()).isFalse();
		await(() -> node.status().reason().contains("refused"));
		this.redis.startAgain();
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), fence()))).isInstanceOf(Granted.class);
	}

	@Test
	void aServerThatLostItsDataDoesNotVoteUntilItsLocksHaveExpired() {
		this.redis.startAgain();
		LockNode node = this.fixture.lettuce("guarded", this.redis.uri(), settings(true, SHORT_TTL));
		await(node, State.QUARANTINED);
		assertThat(vote(node.inspect("k"))).isInstanceOf(Faulted.class);
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "t1", SHORT_TTL), fence()))).isInstanceOf(Granted.class);
		this.redis.restart();
		await(node, State.QUARANTINED);
		Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t2", SHORT_TTL), fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.STALE);
		assertThat(faulted.detail()).contains("restarted").contains("votes again after");
		assertThat(node.status().remaining()).isBetween(Duration.ZERO, Duration.ofMillis(1600));
		assertThat(vote(node.release(claim("k", "t1"), Duration.ZERO))).isInstanceOf(Refused.class);
		await(node, State.READY);
		assertThat(vote(node.acquire(claim("k", "t2", SHORT_TTL), fence()))).isInstanceOf(Granted.class);
	}

	@Test
	void aFrozenServerIsGivenUpAndLeavesNoOrphanWhenItComesBack() {
		this.redis.startAgain();
		LockNode node = await(this.fixture.lettuce("frozen", this.redis.uri(), unguarded()), State.READY);
		this.redis.freeze();
		CompletionStage<Vote> inFlight = node.acquire(claim("k", "t"), fence());
		this.fixture.awaitWritten();
		await(node, State.UNAVAILABLE);
		Faulted lost = (Faulted) vote(inFlight);
		assertThat(lost.fault()).isEqualTo(Fault.UNAVAILABLE);
		assertThat(lost.mayHaveRun()).isTrue();
		assertThat(((Faulted) vote(node.acquire(claim("k", "t2"), fence()))).mayHaveRun()).isFalse();
		this.redis.thaw();
		await(() -> !(vote(node.release(claim("k", "t"), Duration.ZERO)) instanceof Faulted));
		assertThat(this.redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
		await(node, State.READY);
		assertThat(this.redis.<String>ask((commands) -> commands.info("commandstats")))
			.as("one for each connection, of which the second one counts")
			.containsPattern("cmdstat_client\\|kill:calls=2,.*failed_calls=0");
		assertThat(vote(node.acquire(claim("k", "t3"), fence()))).isInstanceOf(Granted.class);
		assertThat(this.redis.<String>ask((commands) -> commands.get("k"))).isEqualTo("t3");
	}

	@Test
	void aFrozenServerIsNotAskedForMoreLocksButStillTakesReleases() {
		this.redis.startAgain();
		LockNode node = await(this.fixture.lettuce("frozen", this.redis.uri(), unguarded()), State.READY);
		this.redis.freeze();
		CompletionStage<Vote> inFlight = node.acquire(claim("k", "t"), fence());
		List<CompletableFuture<Vote>> asked = new ArrayList<>();
		Awaitility.await().atMost(NodeFixture.BOUND).pollInterval(Duration.ofMillis(5)).until(() -> {
			asked.add(node.acquire(claim("k", "later"), fence()).toCompletableFuture());
			return asked.stream().anyMatch((vote) -> vote.getNow(null) instanceof Faulted);
		});
		Vote refused = asked.stream()
			.map((vote) -> vote.getNow(Granted.PLAIN))
			.filter(Faulted.class::isInstance)
			.findFirst()
			.orElseThrow();
		assertThat(refused).isInstanceOfSatisfying(Faulted.class, (faulted) -> {
			assertThat(faulted.fault()).isEqualTo(Fault.TIMEOUT);
			assertThat(faulted.detail()).matches("The server has not answered for \\d+ ms");
			assertThat(faulted.mayHaveRun()).isFalse();
		});
		assertThat(node.status().state()).isEqualTo(State.READY);
		CompletionStage<Vote> released = node.release(claim("k", "t"), Duration.ZERO);
		this.redis.thaw();
		assertThat(vote(inFlight)).isInstanceOf(Granted.class);
		assertThat(vote(released)).isInstanceOf(Granted.class);
		await(() -> vote(node.acquire(claim("k2", "t"), fence())) instanceof Granted);
	}

	@Test
	void manyCommandsToAFrozenServerStayBoundedAndAllEnd() {
		this.redis.startAgain();
		LockNode node = await(this.fixture.lettuce("flooded", this.redis.uri(), unguarded()), State.READY);
		this.redis.freeze();
		List<CompletionStage<Vote>> votes = new ArrayList<>();
		for (int i = 0; i < 80_000; i++) {
			votes.add(node.acquire(claim("k" + i, "t"), fence()));
		}
		List<Vote> ended = votes.stream().map(NodeFixture::vote).toList();
		assertThat(ended.stream().allMatch(Faulted.class::isInstance)).isTrue();
		assertThat(ended.stream().filter((vote) -> ((Faulted) vote).mayHaveRun()).count())
			.isLessThanOrEqualTo(NodeSettings.LONGEST_QUEUE);
	}

	@Test
	void aSecondNodeOverTheSameServerDoesNotVote() {
		this.redis.startAgain();
		await(this.fixture.lettuce("first", this.redis.uri(), unguarded()), State.READY);
		LockNode second = await(this.fixture.lettuce("second", this.redis.uri(), unguarded()), State.UNFIT);
		assertThat(second.status().reason()).contains("'first'").contains("'second'");
		assertThat(((Faulted) vote(second.acquire(claim("k", "t"), fence()))).fault()).isEqualTo(Fault.MISCONFIGURED);
	}

	@Test
	void aServerThatEvictsKeysIsNotFit() {
		this.redis.startAgain();
		this.redis.ask((commands) -> commands.configSet("maxmemory-policy", "allkeys-lru"));
		LockNode node = await(this.fixture.lookSooner().lettuce("evicting", this.redis.uri(), unguarded()),
				State.UNFIT);
		assertThat(node.status().reason()).contains("allkeys-lru").contains("noeviction");
		this.redis.ask((commands) -> commands.configSet("maxmemory-policy", "noeviction"));
		await(node, State.READY);
	}

	@Test
	void aKeyWhoseTtlAnOperatorRemovedIsNotKeptForEverByARelease() {
		this.redis.startAgain();
		LockNode node = await(this.fixture.lettuce("kept", this.redis.uri(), unguarded()), State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), fence()))).isInstanceOf(Granted.class);
		this.redis.ask((commands) -> commands.persist("k"));
		assertThat(vote(node.release(claim("k", "t"), Duration.ofSeconds(5)))).isInstanceOf(Granted.class);
		assertThat(this.redis.<Long>ask((commands) -> commands.pttl("k"))).isBetween(0L, 5_000L);
	}

	private long fence() {
		return this.fixture.fence();
	}

}
