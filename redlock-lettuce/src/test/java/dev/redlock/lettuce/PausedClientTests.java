package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.internal.clock.PausedTicker;
import dev.redlock.lettuce.internal.connection.NodeResources;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client whose clocks do not count a pause, on three real servers.
 */
class PausedClientTests {

	private static final Duration TTL = Duration.ofSeconds(2);

	private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

	private static final Duration ASLEEP = Duration.ofSeconds(40);

	private static final Duration PAUSE = Duration.ofMillis(400);

	private final NodeResources resources = NodeResources.create();

	private final PausedTicker ticker = new PausedTicker();

	private final List<RedisProcess> servers = new ArrayList<>();

	private LockNodes nodes;

	private Redlock redlock;

	@BeforeEach
	void start() {
		for (int i = 0; i < 3; i++) {
			this.servers.add(RedisProcess.start());
		}
		this.nodes = nodes(this.ticker);
		this.nodes.list().forEach((node) -> NodeFixture.await(node, State.READY));
		this.redlock = NodeFixture.redlock(this.nodes.list(),
				RedlockSettings.builder()
					.keyPrefix("")
					.ttl(TTL)
					.maxTtl(TTL)
					.waitFor(Duration.ZERO)
					.nodeTimeout(NODE_TIMEOUT)
					.build(),
				this.nodes.loop(), this.ticker);
		// Quick answers, so that the distances of the clocks are known well.
		for (int i = 0; i < 50; i++) {
			this.redlock.attemptAndWait(LockRequest.of("warm-up")).lease().ifPresent(Lease::close);
		}
	}

	@AfterEach
	void stop() {
		this.redlock.close();
		this.nodes.close();
		this.resources.close();
		this.servers.forEach(RedisProcess::close);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPauseShortensLeasesAndKeepsNoNodeFromVoting(boolean wallClockToo) {
		Lease renewed = this.redlock.attemptAndWait(LockRequest.of("renewed").withRenew(true)).orThrow();
		Lease lease = this.redlock.attemptAndWait(LockRequest.of("held").withRenew(false)).orThrow();
		List<Object> known = knownSince();
		Duration before = lease.remaining();
		this.ticker.miss(PAUSE, wallClockToo);
		assertThat(this.redlock.attemptAndWait(LockRequest.of("other")).lease()).isPresent();
		assertThat(this.nodes.list()).extracting((node) -> node.status().state()).containsOnly(State.READY);
		assertThat(lease.remaining()).as("by the time that has passed").isLessThanOrEqualTo(before);
		assertThat(knownSince()).isEqualTo(known);
		assertThat(renewed.extend(TTL)).isTrue();
		assertThat(this.redlock.attemptAndWait(LockRequest.of("held")).lease()).isEmpty();
		await(() -> !lease.isValid());
		assertThat(renewed.isValid()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLeaseThatEndedDuringThePauseIsLost(boolean wallClockToo) {
		Lease lease = this.redlock.attemptAndWait(LockRequest.of("held").withRenew(false)).orThrow();
		this.ticker.standStill();
		await(this::haveForgotten);
		this.ticker.goOn(wallClockToo);
		assertThat(lease.isValid()).as("by its own clocks").isEqualTo(wallClockToo);
		this.redlock.attemptAndWait(LockRequest.of("other"));
		assertThat(lease.isValid()).isFalse();
		assertThat(lease.lost().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(1));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRequestThatBeginsAfterAPauseLongerThanItsTtlGetsTheLock(boolean wallClockToo) {
		this.ticker.miss(ASLEEP, wallClockToo);
		assertThat(this.redlock.attemptAndWait(LockRequest.of("first")).lease()).isPresent();
		assertThat(this.nodes.list()).extracting((node) -> node.status().state()).containsOnly(State.READY);
	}

	/**
	 * The clocks of a process that is stopped go on.
	 */
	@Test
	void eachRequestThatIsUnderWayWhileTheProcessIsStoppedGetsTheLockOnWaking() {
		this.servers.forEach(RedisProcess::freeze);
		List<CompletableFuture<LockAttempt>> attempts = IntStream.range(0, 20)
			.mapToObj((i) -> this.redlock.attempt(LockRequest.of("r" + i).withWaitFor(Duration.ofMillis(100 * (i % 3))))
				.toCompletableFuture())
			.toList();
		this.ticker.miss(ASLEEP.negated(), true);
		this.servers.forEach(RedisProcess::thaw);
		assertThat(attempts).allSatisfy((attempt) -> assertThat(attempt).succeedsWithin(NodeFixture.BOUND)
			.satisfies((woken) -> assertThat(woken.lease()).isPresent()));
	}

	private boolean haveForgotten() {
		return this.servers.stream().allMatch((server) -> server.ask((commands) -> commands.exists("held")) == 0);
	}

	private List<Object> knownSince() {
		return this.servers.stream()
			.map((server) -> server.ask((commands) -> (Object) commands.get(Marker.sinceKey(""))))
			.toList();
	}

	private LockNodes nodes(Ticker clock) {
		LockNodes.Builder builder = NodeFixture.builder();
		for (RedisProcess server : this.servers) {
			builder.lettuce("n" + this.servers.indexOf(server),
					(shared) -> new LettuceConnectionFactory(
							new RedisStandaloneConfiguration("127.0.0.1", server.port()),
							LettuceClientConfiguration.builder().clientResources(shared).build()));
		}
		return NodeFixture.start(builder, NodeFixture.fresh("", TTL), this.resources, this.resources.loop(), clock);
	}

}
