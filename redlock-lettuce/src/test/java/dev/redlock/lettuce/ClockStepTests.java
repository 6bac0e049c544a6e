package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.internal.clock.PausedTicker;
import dev.redlock.lettuce.internal.connection.LoopWithTimers;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.fresh;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Steps of a server's clock against the client's monotonic one. Nobody may set the clock
 * of a machine for a test, so the client's is held back instead.
 */
class ClockStepTests {

	private static final Duration SHORT_TTL = Duration.ofSeconds(1);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	/**
	 * Whether nodes look at their servers all the time, where no answer is to tell first.
	 */
	private volatile boolean looking;

	@Test
	void aGrantThatWasUnderWayWhenAnotherAnswerToldOfTheStepDoesNotCountEither() {
		PausedTicker ticker = new PausedTicker();
		LockNode node = await(node("stepped", ticker), State.READY);
		assertThat(vote(node.acquire(claim("k0", "t0"), 0))).isInstanceOf(Granted.class);
		this.fixture.servers.get(0).freeze();
		ticker.miss(Duration.ofSeconds(40), false);
		List<CompletionStage<Vote>> underWay = List.of(node.acquire(claim("k1", "t1"), 0),
				node.acquire(claim("k2", "t2"), 0));
		this.fixture.servers.get(0).thaw();
		for (CompletionStage<Vote> stage : underWay) {
			assertThat(vote(stage)).isInstanceOfSatisfying(Faulted.class, (faulted) -> {
				assertThat(faulted.fault()).isEqualTo(Fault.STALE);
				assertThat(faulted.mayHaveRun()).as("what it left has to be released").isTrue();
			});
		}
	}

	@Test
	void aFreshClientWaitsToo() {
		this.looking = true;
		PausedTicker ticker = new PausedTicker();
		LockNode node = await(node("stepped", ticker), State.READY);
		ticker.miss(Duration.ofSeconds(40), false);
		await(node, State.QUARANTINED);
		try (NodeFixture other = new NodeFixture()) {
			await(other.lettuce("fresh", this.fixture.servers.get(0).uri(), settings(true, SHORT_TTL)),
					State.QUARANTINED);
		}
	}

	@Test
	void aStepWhileAServerThatKeepsItsLocksWasDownIsNoticed() {
		PausedTicker ticker = new PausedTicker();
		LockNode node = await(node("stepped", ticker, "--appendonly", "yes", "--appendfsync", "always"), State.READY);
		assertThat(vote(node.acquire(claim("k", "t"), 0))).isInstanceOf(Granted.class);
		this.fixture.servers.get(0).kill();
		await(node, State.UNAVAILABLE);
		ticker.miss(Duration.ofSeconds(40), false);
		this.fixture.servers.get(0).startAgain();
		await(node, State.QUARANTINED);
		assertThat(node.status().reason()).contains("stepped forward by");
	}

	/** The process is the same and the key holds the token, so nothing was forgotten. */
	@Test
	void aServerWhoseClockSteppedStillExtendsWhatItHas() {
		List<PausedTicker> tickers = List.of(new PausedTicker(), new PausedTicker(), new PausedTicker());
		List<LockNode> nodes = new ArrayList<>();
		for (int i = 0; i < tickers.size(); i++) {
			nodes.add(node("n" + i, tickers.get(i)));
		}
		nodes.forEach((node) -> await(node, State.READY));
		try (Redlock redlock = this.fixture.redlock(nodes, SHORT_TTL)) {
			Lease lease = redlock.attemptAndWait(LockRequest.of("r")).orThrow();
			tickers.get(0).miss(Duration.ofSeconds(40), false);
			tickers.get(1).miss(Duration.ofSeconds(40), false);
			assertThat(lease.extend(SHORT_TTL)).as("when the steps show").isTrue();
			await(nodes.get(0), State.QUARANTINED);
			await(nodes.get(1), State.QUARANTINED);
			assertThat(lease.extend(SHORT_TTL)).as("in quarantine").isTrue();
			assertThat(redlock.attemptAndWait(LockRequest.of("other")).lease()).isEmpty();
			this.fixture.servers.get(0).ask((commands) -> commands.del("r"));
			this.fixture.servers.get(1).ask((commands) -> commands.del("r"));
			assertThat(lease.extend(SHORT_TTL)).as("of keys that are gone").isFalse();
			assertThat(lease.isValid()).isFalse();
		}
	}

	private LockNode node(String name, Ticker ticker, String... options) {
		return this.fixture.lettuce(name, RedisClient.create(this.fixture.server(options).uri()), fresh("", SHORT_TTL),
				new LoopWithTimers(this.fixture.loop, this::scheduleSooner), ticker);
	}

	/**
	 * Nodes look at their server every 20 s.
	 */
	private Timeout scheduleSooner(Duration delay, Runnable task) {
		boolean tooLong = this.looking && delay.compareTo(Duration.ofSeconds(10)) > 0;
		return this.fixture.loop.schedule(tooLong ? Duration.ofMillis(100) : delay, task);
	}

}
