package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Channels;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that does not know the scripts of the lock is asked once more, with the whole
 * script, which first compares the process. So {@code SCRIPT FLUSH} costs no lock, and
 * another process still does not vote.
 */
class ForgottenScriptsTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	private static final NodeSettings SETTINGS = NodeFixture.fresh("", MAX_TTL);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@Test
	void aSingleTryGetsTheLockAfterEachServerHasForgottenTheScripts() {
		try (TwoClients clients = new TwoClients(SETTINGS)) {
			TwoClients.Client client = clients.connect().awaitReady();
			// A release that is still under way would keep the next claim from being
			// repeated.
			client.attempt().orThrow().releaseAsync().toCompletableFuture().join();
			flushScripts(clients);
			Lease lease = client.attempt().orThrow();
			flushScripts(clients);
			assertThat(lease.extend(MAX_TTL)).isTrue();
			flushScripts(clients);
			assertThat(lease.releaseAsync().toCompletableFuture().join().confirmed()).isTrue();
			client.attempt().orThrow().close();
		}
	}

	@Test
	void aHandOverWithinAProcessNeedsNoSecondTryAfterEachServerHasForgottenTheScripts() {
		try (TwoClients clients = new TwoClients(SETTINGS)) {
			TwoClients.Client client = clients.connect().awaitReady();
			Lease lease = client.attempt().orThrow();
			CompletableFuture<LockAttempt> next = client.redlock()
				.attempt(LockRequest.of("r").withWaitFor(Duration.ofSeconds(15)))
				.toCompletableFuture();
			flushScripts(clients);
			assertThat(lease.releaseAsync().toCompletableFuture().join().confirmed()).isTrue();
			assertThat(next).succeedsWithin(Duration.ofSeconds(15))
				.satisfies((attempt) -> assertThat(attempt.lease()).isPresent())
				.satisfies((attempt) -> assertThat(attempt.tries()).isOne());
		}
	}

	@Test
	void anotherProcessWithTheSameMarkerDoesNotVote() {
		RedisProcess redis = this.fixture.server();
		RedisProcess other = this.fixture.server();
		EditingProxy proxy = this.fixture.proxy(redis);
		LockNode node = await(node(proxy), State.READY);
		String marker = redis.ask((commands) -> commands.get(Marker.key("")));
		other.ask((commands) -> commands.set(Marker.key(""), marker));
		proxy.turnTo(other);
		Faulted faulted = (Faulted) grab(node, "k");
		assertThat(faulted.fault()).isEqualTo(Fault.STALE);
		assertThat(faulted.detail()).contains("another process");
		await(node, State.QUARANTINED);
		assertThat(other.<Long>ask((commands) -> commands.exists("k"))).isZero();
		assertThat(((Faulted) grab(node, "k")).fault()).isEqualTo(Fault.STALE);
	}

	@Test
	void aServerThatWasEmptiedTooDoesNotVote() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(node(this.fixture.proxy(redis)), State.READY);
		redis.ask((commands) -> commands.flushall() + commands.scriptFlush());
		assertThat(((Faulted) grab(node, "k")).fault()).isEqualTo(Fault.STALE);
		await(node, State.QUARANTINED);
		assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
	}

	/**
	 * The script of a release is the same for all clients, so another one may have loaded
	 * it again.
	 */
	@Test
	void aClaimThatIsAskedOnceMoreDoesNotOvertakeItsRelease() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(node(this.fixture.proxy(redis)), State.READY);
		for (int i = 0; i < 50; i++) {
			redis.ask((commands) -> commands.scriptFlush());
			load(redis, LockScript.RELEASE);
			CompletableFuture<List<CompletionStage<Vote>>> asked = new CompletableFuture<>();
			this.fixture.loop.execute(() -> asked.complete(List.of(node.acquire(claim("k", "t"), this.fixture.fence()),
					node.release(claim("k", "t"), Duration.ZERO))));
			asked.join().forEach(NodeFixture::vote);
			assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
		}
	}

	/**
	 * The successor has let the lock go before the server's answer to the first claim is
	 * read.
	 */
	@Test
	void aClaimThatIsAskedOnceMoreDoesNotOvertakeItsSuccessor() {
		RedisProcess redis = this.fixture.server();
		LockNode node = await(node(this.fixture.proxy(redis)), State.READY);
		Claim successor = claim("k", "next").succeeding(new Predecessor("t", 1, false));
		for (int i = 0; i < 50; i++) {
			redis.ask((commands) -> commands.scriptFlush());
			load(redis, LockScript.SUCCEED);
			load(redis, LockScript.RELEASE);
			CompletableFuture<List<CompletionStage<Vote>>> asked = new CompletableFuture<>();
			this.fixture.loop.execute(() -> asked.complete(List.of(node.acquire(claim("k", "t"), this.fixture.fence()),
					node.acquire(successor, this.fixture.fence()), node.release(claim("k", "next"), Duration.ZERO))));
			asked.join().forEach(NodeFixture::vote);
			assertThat(redis.<String>ask((commands) -> commands.get("k"))).isNull();
		}
	}

	/**
	 * The check begins before the server answers the claim.
	 */
	@Test
	void aClaimIsNotAskedOnceMoreWhileItsNodeIsChecked() {
		RedisProcess redis = this.fixture.server();
		EditingProxy proxy = this.fixture.proxy(redis);
		LockNode node = await(node(proxy), State.READY);
		redis.ask((commands) -> commands.scriptFlush());
		proxy.refuse((command) -> command.contains("doubt"), "STALE doubt");
		CompletableFuture<List<CompletionStage<Vote>>> asked = new CompletableFuture<>();
		this.fixture.loop.execute(() -> asked.complete(List.of(node.acquire(claim("doubt", "t"), this.fixture.fence()),
				node.acquire(claim("k", "t"), this.fixture.fence()))));
		asked.join().forEach((vote) -> assertThat(vote(vote)).isInstanceOf(Faulted.class));
		assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
		await(node, State.READY);
		assertThat(grab(node, "k")).isInstanceOf(Granted.class);
	}

	private static void flushScripts(TwoClients clients) {
		List.of(0, 1, 2).forEach((i) -> clients.server(i).ask((commands) -> commands.scriptFlush()));
	}

	/**
	 * Loads a script as another client of the same server does.
	 */
	private static void load(RedisProcess redis, LockScript script) {
		redis.ask((commands) -> {
			String runId = commands.info("server").replaceAll("(?s).*run_id:(\\w+).*", "$1");
			String key = Marker.key("");
			return commands.scriptLoad(script.text(runId, new Marker(key, commands.get(key)), Channels.PLAIN));
		});
	}

	private Vote grab(LockNode node, String key) {
		return vote(node.acquire(claim(key, "t"), this.fixture.fence()));
	}

	private LockNode node(EditingProxy proxy) {
		return this.fixture.lettuce("a", proxy.uri(), SETTINGS);
	}

}
