package dev.redlock.lettuce;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitChecked;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the marker tells of a server's data, on real servers.
 */
class MarkerTests {

	private static final Duration SHORT_TTL = Duration.ofMillis(500);

	private static final Duration LONG_TTL = Duration.ofMinutes(10);

	private static final String KEY = Marker.key("");

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@Test
	void aServerThatWasFlushedDoesNotVoteUntilItsLocksHaveExpired() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("flushed", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		assertThat(acquire(node, "t1")).isInstanceOf(Granted.class);
		redis.ask((commands) -> commands.flushall());
		assertStale(acquire(node, "t2"));
		assertThat(await(node, State.QUARANTINED).status().reason()).contains("emptied");
		assertStale(acquire(node, "t3"));
		await(node, State.READY);
		assertThat(acquire(node, "t4")).isInstanceOf(Granted.class);
	}

	@Test
	void aCallerThatStoodStillSinceItLookedGetsNoGrantOfAServerThatWasFlushedMeanwhile() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("late", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		CompletableFuture<Vote> late = CompletableFuture.supplyAsync(() -> {
			// The only thread that sends claims stands still.
			assertThat(node.status().state()).isEqualTo(State.READY);
			redis.ask((commands) -> commands.flushall());
			return node.acquire(claim("k", "t"), this.fixture.fence());
		}, this.fixture.loop).thenCompose((vote) -> vote);
		assertStale(vote(late));
		assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
	}

	@Test
	void aFlushedServerTakesNoClaimAgainByRestoring() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("restored", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		redis.ask((commands) -> commands.flushall());
		assertStale(vote(node.restore(claim("k", "t"), this.fixture.fence())));
		assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
	}

	@Test
	void theMarkerOfAnotherClientDoesNotHideThatTheServerWasFlushed() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("first", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		redis.ask((commands) -> {
			commands.flushall();
			return commands.set(KEY, UUID.randomUUID().toString());
		});
		assertStale(acquire(node, "t"));
		await(node, State.QUARANTINED);
	}

	@Test
	void aFreshClientWaitsForAServerThatNobodyHasKnownHoweverLongItHasBeenUp() {
		RedisProcess redis = this.fixture.server();
		await(this.fixture.lettuce("a", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		redis.ask((commands) -> commands.flushall());
		try (NodeFixture fresh = new NodeFixture()) {
			await(fresh.lettuce("a", redis.uri(), settings(true, SHORT_TTL)), State.QUARANTINED);
		}
	}

	@ParameterizedTest(name = "the clock of the {0}")
	@ValueSource(strings = { "server", "client" })
	void aClockThatWasWrongWhenTheServerWasFirstSeenMakesItNoOlder(String wrong) {
		RedisProcess redis = this.fixture.server();
		await(this.fixture.lettuce("a", redis.uri(), settings(true, LONG_TTL)), State.QUARANTINED);
		String since = redis.ask((commands) -> commands.get(Marker.sinceKey("")));
		String booted1970 = since.replaceFirst(wrong + "=\\d+", wrong + "=1000000");
		redis.ask((commands) -> commands.set(Marker.sinceKey(""), booted1970));
		try (NodeFixture fresh = new NodeFixture()) {
			assertThat(awaitChecked(fresh.lettuce("a", redis.uri(), settings(true, LONG_TTL))))
				.isEqualTo(State.QUARANTINED);
		}
		assertThat(redis.<String>ask((commands) -> commands.get(Marker.sinceKey("")))).isEqualTo(booted1970);
	}

	@Test
	void aServerThatWritesEverythingToDiskFirstVotesAtOnceAfterARestartButNotWithAnotherDisk() {
		RedisProcess redis = this.fixture.server("--appendonly", "yes", "--appendfsync", "always");
		LockNode node = await(this.fixture.lettuce("durable", redis.uri(), settings(true, SHORT_TTL)), State.READY);
		assertThat(acquire(node, "t1")).isInstanceOf(Granted.class);
		redis.kill();
		await(node, State.UNAVAILABLE);
		redis.startAgain();
		assertThat(awaitChecked(node)).isEqualTo(State.READY);
		redis.kill();
		await(node, State.UNAVAILABLE);
		redis.removeFiles();
		redis.startAgain();
		await(node, State.QUARANTINED);
	}

	@Test
	void withoutTheGuardNothingButLocksIsWritten() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(this.fixture.lettuce("plain", redis.uri(), unguarded()), State.READY);
		assertThat(redis.<Long>ask((commands) -> commands.dbsize())).isZero();
		redis.ask((commands) -> commands.flushall());
		assertThat(acquire(node, "t")).isInstanceOf(Granted.class);
	}

	@Test
	void theMarkerIsBehindThePrefixAndInOneSlotWithWhatBelongsToIt() {
		for (String prefix : new String[] { "", "redlock:", "{app}:", "a{b:", "a}b" }) {
			assertThat(Marker.key(prefix)).startsWith(prefix);
			assertThat(SlotHash.getSlot(Marker.sinceKey(prefix))).isEqualTo(SlotHash.getSlot(Marker.key(prefix)));
			assertThat(SlotHash.getSlot(Marker.clientsKey(prefix))).isEqualTo(SlotHash.getSlot(Marker.key(prefix)));
		}
	}

	private Vote acquire(LockNode node, String token) {
		return vote(node.acquire(claim("k-" + token, token), this.fixture.fence()));
	}

	private static void assertStale(Vote vote) {
		assertThat(vote).isInstanceOfSatisfying(Faulted.class, (faulted) -> {
			assertThat(faulted.fault()).isEqualTo(Fault.STALE);
			assertThat(faulted.mayHaveRun()).isFalse();
		});
	}

}
