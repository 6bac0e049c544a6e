package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.redlock.Tick;
import dev.redlock.lettuce.internal.script.CounterKeys;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asks the node in memory and a real server the same, at random, and compares what they
 * answer: what is proven with the one then holds for the other.
 * {@code -Dredlock.differential.seed=…} runs one seed again.
 */
class DifferentialTests {

	private static final int CALLS = 1500;

	private static final List<String> KEYS = List.of("a", "b", "c", "d");

	private static final List<String> TOKENS = List.of("t1|me", "t2|you", "t3");

	/**
	 * Far apart, so that the few milliseconds between the two calls change no answer.
	 */
	private static final List<Duration> TTLS = List.of(Duration.ofMinutes(1), Duration.ofMinutes(5),
			Duration.ofMinutes(30));

	private static final Duration AT_ONCE = Duration.ofMillis(1);

	private static final long CLOCK_BOUND_MICROS = unguarded().clockBoundMicros();

	private static final long NEAR_MICROS = 10_000_000;

	private final NodeFixture fixture = new NodeFixture();

	private final RedisClient client = RedisClient.create();

	private final List<String> calls = new ArrayList<>();

	/** The steps of {@code fences.smt2} and {@code ticks.smt2} that both sides took. */
	final Transitions transitions = new Transitions();

	private RedisProcess redis;

	private LockNode real;

	private InMemoryNode model;

	private SplittableRandom random;

	private StatefulRedisConnection<String, String> connection;

	private RedisCommands<String, String> counters;

	@BeforeEach
	void setUp() {
		this.redis = this.fixture.server();
		this.connection = this.client.connect(this.redis.uri());
		this.counters = this.connection.sync();
		this.real = await(this.fixture.lettuce("real", this.redis.uri(), unguarded()), State.READY);
		this.model = new InMemoryNode("model", this.fixture.ticker, Duration.ofNanos(CLOCK_BOUND_MICROS * 1000));
	}

	@AfterEach
	void tearDown() {
		this.connection.close();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.fixture.close();
	}

	static List<Long> seeds() {
		Long one = Long.getLong("redlock.differential.seed");
		return (one != null) ? List.of(one) : List.of(System.nanoTime(), 1L, 2L);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void theNodeInMemoryAnswersAsARealServerDoes(long seed) {
		this.random = new SplittableRandom(seed);
		for (int i = 0; i < CALLS; i++) {
			call();
		}
	}

	private void call() {
		Claim claim = claim(one(TTLS));
		long fence = fence(claim);
		switch (this.random.nextInt(17)) {
			case 0, 1, 2 -> acquire(claim, fence);
			case 3, 4 -> extend(claim.withTtl(AT_ONCE), Math.max(1, fence));
			case 5, 6 -> extend(claim, fence);
			case 7, 8 -> fencedStep("RESTORE", fence,
					both("restore " + fence, claim, (node) -> vote(node.restore(claim, fence))));
			case 9 -> step("RELEASE", both("release", claim, (node) -> vote(node.release(claim, Duration.ZERO))));
			case 10 -> {
				Duration keep = one(TTLS);
				both("release, keep " + keep, claim, (node) -> vote(node.release(claim, keep)));
			}
			case 11, 12 -> {
				boolean rests = this.random.nextInt(3) == 0;
				List<String> key = rests ? List.of("rests") : claim.keys().subList(0, 1);
				Claim job = new Claim(key, claim.token(), claim.ttl());
				Tick tick = rests ? Tick.atLeast(one(TTLS), Duration.ZERO) : tick();
				if (rests) {
					both("acquire", job, (node) -> vote(node.acquire(job, 0)));
				}
				boolean mark = this.random.nextBoolean();
				List<Vote> votes = both((mark ? "mark " : "look at ") + tick, job,
						(node) -> vote(node.tick(job, tick, mark)));
				if (mark) {
					step("TICK", votes);
				}
			}
			case 13, 14, 15 -> succeed(claim, fence);
			default -> {
				if (this.random.nextBoolean()) {
					expire(claim);
				}
				if (this.random.nextInt(40) == 0) {
					forget();
				}
				both("inspect", claim, (node) -> vote(node.inspect(claim.keys().get(0))));
			}
		}
	}

	/**
	 * Where a counter is missing the fence may depend on the node's clock; both are then
	 * brought to the same one.
	 */
	private void acquire(Claim claim, long fence) {
		List<Vote> votes = both("acquire " + fence, claim, (node) -> vote(node.acquire(claim, fence)));
		fencedStep("ACQUIRE", fence, votes);
		levelCounters(claim, votes);
	}

	private void levelCounters(Claim claim, List<Vote> votes) {
		if (votes.get(0) instanceof Granted model && votes.get(1) instanceof Granted server
				&& model.fence() != server.fence()) {
			long level = Math.max(model.fence(), server.fence());
			both("level " + level, claim, (node) -> vote(node.extend(claim, level)));
		}
	}

	/**
	 * Mostly by the owner of a key, strictly or not, and with a fence around that of the
	 * owner.
	 */
	private void succeed(Claim former, long fence) {
		boolean strict = this.random.nextBoolean();
		Claim next = new Claim(former.keys(), one(TOKENS), former.ttl())
			.succeeding(new Claim.Predecessor(former.token(), Math.max(1, fence - this.random.nextLong(2)), strict));
		List<Vote> votes = both("succeed " + next.succeeds() + " " + fence, next,
				(node) -> vote(node.acquire(next, fence)));
		fencedStep("SUCCEED", fence, votes);
		levelCounters(next, votes);
	}

	private void extend(Claim claim, long fence) {
		fencedStep("EXTEND", fence, both("extend " + fence, claim, (node) -> vote(node.extend(claim, fence))));
	}

	private void expire(Claim claim) {
		Claim brief = claim.withTtl(AT_ONCE);
		List<Vote> votes = both("acquire for a moment", brief, (node) -> vote(node.acquire(brief, 0)));
		if (votes.get(0) instanceof Granted) {
			Awaitility.await()
				.atMost(NodeFixture.BOUND)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> brief.keys()
					.stream()
					.allMatch((key) -> vote(this.model.inspect(key)) instanceof Granted
							&& vote(this.real.inspect(key)) instanceof Granted));
			this.transitions.took("LOSE");
		}
	}

	private void forget() {
		this.calls.add("all data are lost");
		this.model.forget();
		this.counters.flushall();
		this.transitions.took("FORGET");
	}

	/**
	 * The model of the fences leaves out claims without one.
	 */
	private void fencedStep(String name, long fence, List<Vote> votes) {
		if (fence > Claim.UNFENCED) {
			step(name, votes);
		}
	}

	private void step(String name, List<Vote> votes) {
		if (votes.get(0) instanceof Granted) {
			this.transitions.took(name);
		}
		else {
			this.transitions.refused(name);
		}
	}

	/**
	 * Mostly one of a few around now, sometimes too far from now.
	 */
	private Tick tick() {
		long now = TimeUnit.MICROSECONDS.toMinutes(this.fixture.fence());
		int minutes = (this.random.nextInt(8) == 0) ? (this.random.nextBoolean() ? 9_000 : -9_000)
				: this.random.nextInt(-3, 2);
		return new Tick(TimeUnit.MINUTES.toMicros(now + minutes), Duration.ofMinutes(1), Duration.ofSeconds(30), false);
	}

	private Claim claim(Duration ttl) {
		TreeSet<String> keys = new TreeSet<>();
		int wanted = 1 + this.random.nextInt(3);
		while (keys.size() < wanted) {
			keys.add(one(KEYS));
		}
		// At random alone, most calls would be those of another client than the owner.
		String owner = this.model.tokens().get(keys.first());
		boolean owned = owner != null && this.random.nextBoolean();
		return new Claim(List.copyOf(keys), owned ? owner : one(TOKENS), ttl);
	}

	/**
	 * None; about now; too far from now; or around what a counter has.
	 */
	private long fence(Claim claim) {
		long now = this.fixture.fence();
		String counter = this.counters.get(CounterKeys.of(one(claim.keys())));
		return switch (this.random.nextInt(8)) {
			case 0 -> Claim.UNFENCED;
			case 1 -> now + (this.random.nextBoolean() ? 2 : -2) * CLOCK_BOUND_MICROS;
			case 2 -> now - this.random.nextLong(NEAR_MICROS);
			case 3 -> now + this.random.nextLong(NEAR_MICROS);
			default -> (counter != null) ? Long.parseLong(counter) + this.random.nextLong(-2, 3)
					: now + this.random.nextLong(NEAR_MICROS);
		};
	}

	private List<Vote> both(String what, Claim claim, Function<LockNode, Vote> operation) {
		this.calls.add(what + " " + claim + " " + claim.token());
		Vote expected = operation.apply(this.model);
		Vote actual = operation.apply(this.real);
		assertThat(alike(expected, actual))
			.as(() -> "in memory: " + expected + "\nserver: " + actual + "\nafter\n"
					+ String.join("\n", this.calls.subList(Math.max(0, this.calls.size() - 40), this.calls.size())))
			.isTrue();
		return List.of(expected, actual);
	}

	private static boolean alike(Vote model, Vote server) {
		if (model instanceof Granted left && server instanceof Granted right) {
			return near(left.fence(), right.fence()) && near(left.nodeMicros(), right.nodeMicros());
		}
		if (model instanceof Refused left && server instanceof Refused right) {
			return left.why() == right.why() && String.valueOf(left.holder()).equals(String.valueOf(right.holder()))
					&& near(left.lastTick(), right.lastTick())
					&& near(micros(left.remaining()), micros(right.remaining()));
		}
		return model instanceof Faulted left && server instanceof Faulted right && left.fault() == right.fault()
				&& left.mayHaveRun() == right.mayHaveRun() && near(left.nodeMicros(), right.nodeMicros());
	}

	/**
	 * Alike but for the time between the two calls.
	 */
	private static boolean near(long left, long right) {
		return left == right || (left != 0 && right != 0 && Math.abs(left - right) < NEAR_MICROS);
	}

	private static long micros(Duration duration) {
		return (duration != null) ? duration.toNanos() / 1000 : 0;
	}

	private <T> T one(List<T> some) {
		return some.get(this.random.nextInt(some.size()));
	}

}
