package dev.redlock.lettuce.internal.restart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.lettuce.Transitions;
import dev.redlock.lettuce.internal.clock.ClockWatch;
import dev.redlock.lettuce.internal.clock.ClockWatch.Range;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.restart.RestartGuard.Verdict;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.memory.ManualTime;
import dev.redlock.sim.SimGuard;
import dev.redlock.sim.SimMarker;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tells the guard of the simulation and the real one, whose script runs on a real server,
 * the same stories at random, and compares whom they let vote.
 * {@code -Dredlock.differential.seed=…} runs one seed again.
 */
public class GuardDifferentialTests {

	private static final int EVENTS = 1500;

	private static final int CLIENTS = 3;

	private static final Duration MAX_TTL = Duration.ofMillis(400);

	private static final Duration LEAST_STEP = Duration.ofMillis(50);

	private static final int MICROS_PER_DRIFT = 5000;

	private static final long SOME_MICROS = 1_000_000_000_000L;

	private final ManualTime time = new ManualTime();

	private final RedisClient client = RedisClient.create();

	private final List<String> story = new ArrayList<>();

	/** The steps of {@code restarts.als} that both sides took. */
	public final Transitions transitions = new Transitions();

	private final List<Watcher> watchers = new ArrayList<>();

	private final SimMarker model = new SimMarker("m");

	private RedisProcess redis;

	private StatefulRedisConnection<String, String> connection;

	private RedisCommands<String, String> server;

	private SplittableRandom random;

	private int incarnation = 1;

	private int markers;

	private boolean durable;

	private boolean appendOnly = true;

	/**
	 * By how much the clock of the server is ahead of what the real one says.
	 */
	private long serverAheadMicros;

	@BeforeEach
	public void setUp() {
		this.redis = RedisProcess.start();
		this.connection = this.client.connect(this.redis.uri());
		this.server = this.connection.sync();
	}

	@AfterEach
	public void tearDown() {
		this.connection.close();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.redis.close();
	}

	static List<Long> seeds() {
		Long one = Long.getLong("redlock.differential.seed");
		return (one != null) ? List.of(one) : List.of(System.nanoTime(), 1L, 2L);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	public void theGuardOfTheSimulationLetsVoteWhomTheRealOneDoes(long seed) {
		this.random = new SplittableRandom(seed);
		this.durable = this.random.nextBoolean();
		for (int i = 0; i < CLIENTS; i++) {
			this.watchers.add(new Watcher());
		}
		for (int i = 0; i < EVENTS; i++) {
			happen();
			this.watchers.forEach(Watcher::compare);
		}
	}

	private void happen() {
		int who = this.random.nextInt(CLIENTS);
		Watcher watcher = this.watchers.get(who);
		switch (this.random.nextInt(17)) {
			case 0, 1, 2, 3, 4, 5 -> pass(Duration.ofMillis(this.random.nextInt(300)));
			case 6, 7, 8, 9 -> {
				note("client " + who + " checks");
				watcher.check();
				this.transitions.took("CHECK");
			}
			case 10, 11 -> {
				note("client " + who + " is told the time");
				watcher.isTold(this.random.nextInt(400_000));
			}
			case 12 -> {
				note("the server restarts, perhaps with another configuration");
				this.incarnation++;
				this.durable = this.random.nextBoolean();
				this.appendOnly = this.durable || this.random.nextBoolean();
				this.transitions.took("RESTART");
			}
			case 13 -> {
				note("the server is emptied");
				this.server.flushall();
				this.model.forget();
				this.transitions.took("FLUSH");
			}
			case 14 -> {
				note("the server is configured anew while it runs");
				this.durable = !this.durable;
				this.appendOnly = this.durable || this.random.nextBoolean();
				this.transitions.took("CONFIG");
			}
			case 15 -> stepServer(Duration.ofMillis(this.random.nextInt(-600, 601)));
			default -> {
				note("client " + who + " starts anew");
				this.watchers.set(who, new Watcher());
			}
		}
	}

	private void pass(Duration span) {
		note(span.toMillis() + " ms pass");
		this.time.advance(span);
		moveServer(span);
	}

	private void stepServer(Duration step) {
		note("the clock of the server steps by " + step.toMillis() + " ms");
		moveServer(step);
	}

	/**
	 * Nobody can move the clock of a real server, but what it has noted can be moved the
	 * other way.
	 */
	private void moveServer(Duration step) {
		long micros = step.toNanos() / 1000;
		this.serverAheadMicros += micros;
		String since = this.server.get(Marker.sinceKey(""));
		if (since != null) {
			long stored = Long.parseLong(since.replaceFirst(".* server=(\\d+) .*", "$1"));
			this.server.set(Marker.sinceKey(""),
					since.replaceFirst(" server=\\d+ ", " server=" + (stored - micros) + " "));
		}
	}

	private void note(String event) {
		this.story.add(event);
	}

	private String recently() {
		return String.join("\n", this.story.subList(Math.max(0, this.story.size() - 40), this.story.size()));
	}

	/**
	 * One client, as both see it.
	 */
	private final class Watcher {

		private final NodeSettings settings = NodeFixture.settings(true, MAX_TTL);

		private final NodeContext context = new NodeContext("n", false, this.settings, new ServerRegistry(),
				new PauseDetector(1, this.settings, GuardDifferentialTests.this.time, GuardDifferentialTests.this.time),
				GuardDifferentialTests.this.time, GuardDifferentialTests.this.time);

		private final RestartGuard real = new RestartGuard(this.settings, GuardDifferentialTests.this.time);

		private final SimGuard simulated = new SimGuard(GuardDifferentialTests.this.time, MAX_TTL, LEAST_STEP,
				MICROS_PER_DRIFT, NodeSettings.CHECK_INTERVAL);

		private final NodeClocks clocks = new NodeClocks(this.context, () -> null, (step) -> false);

		private ClockWatch clock;

		private boolean checked;

		private boolean votes;

		private Verdict judged;

		private long untilNanos = Long.MAX_VALUE;

		void check() {
			ServerFacts facts = new ServerFacts(Integer.toString(GuardDifferentialTests.this.incarnation), "r",
					"master", false, "noeviction", GuardDifferentialTests.this.appendOnly,
					GuardDifferentialTests.this.durable, 0, false, false, 0, Set.of());
			assertThat(this.simulated.knownLife()).as(GuardDifferentialTests.this::recently)
				.isEqualTo(this.real.knownServer().id());
			assertThat(this.simulated.knownDurable()).as(GuardDifferentialTests.this::recently)
				.isEqualTo(this.real.knownServer().durable());
			DataHistory seen = look(facts);
			this.checked = true;
			this.clock = this.clocks.of("", facts);
			this.judged = this.real.stateAfterCheck(facts, seen);
			this.votes = this.judged.state() == State.READY;
			this.untilNanos = GuardDifferentialTests.this.time.nanoTime() + this.judged.remaining().toNanos();
		}

		private DataHistory look(ServerFacts facts) {
			KnownServer known = this.real.knownServer();
			List<String> arguments = new ArrayList<>(DataHistory.arguments(facts, known, this.context));
			boolean markerIsMissing = GuardDifferentialTests.this.server.exists(Marker.key("")) == 0;
			arguments.set(0, "m-" + (GuardDifferentialTests.this.markers += markerIsMissing ? 1 : 0));
			List<String> answer = GuardDifferentialTests.this.server.eval(DataHistory.SCRIPT, ScriptOutputType.MULTI,
					DataHistory.keys("").toArray(String[]::new), arguments.toArray(String[]::new));
			DataHistory seen = DataHistory.parse(answer, this.context);
			long serverMicros = Long.parseLong(answer.get(4)) + GuardDifferentialTests.this.serverAheadMicros;
			long clientMicros = GuardDifferentialTests.this.time.epochMicros();
			SimMarker.Sighting modelled = GuardDifferentialTests.this.model.look(known.id(), known.durable(),
					facts.process(), facts.durable(), facts.appendOnly(), serverMicros, clientMicros);
			long age = Math.max(0,
					Math.min(serverMicros - modelled.sinceServerMicros(), clientMicros - modelled.sinceClientMicros()));
			assertThat(modelled.marker()).isEqualTo(seen.marker().id());
			assertThat(modelled.durable()).as(GuardDifferentialTests.this::recently).isEqualTo(seen.durable());
			assertThat(modelled.sinceClientMicros()).as(GuardDifferentialTests.this::recently)
				.isEqualTo(seen.sinceMicros());
			assertThat(age).as(GuardDifferentialTests.this::recently).isEqualTo(seen.age().toNanos() / 1000);
			this.simulated.judge(modelled);
			return seen;
		}

		/**
		 * Is told the time of the server, after a while on the way.
		 */
		void isTold(long micros) {
			if (!this.checked) {
				return;
			}
			long sentNanos = GuardDifferentialTests.this.time.nanoTime();
			long readAfter = GuardDifferentialTests.this.random.nextLong(micros + 1);
			long serverMicros = SOME_MICROS + GuardDifferentialTests.this.serverAheadMicros + readAfter;
			pass(Duration.ofNanos(micros * 1000));
			Range range = this.clock.range(sentNanos, serverMicros);
			long step = this.clock.observe(range);
			if (step > 0) {
				this.clock.goOn(0, range);
			}
			boolean doubted = step != 0 && this.real.clockStepped(step) != null;
			boolean seemsToStep = this.simulated.told(sentNanos, serverMicros);
			assertThat(seemsToStep && this.simulated.judge(0)).as(GuardDifferentialTests.this::recently)
				.isEqualTo(doubted);
			if (doubted) {
				check();
			}
		}

		void compare() {
			if (!this.votes && GuardDifferentialTests.this.time.nanoTime() - this.untilNanos >= 0) {
				this.real.hasWaited();
				this.votes = true;
			}
			if (this.checked) {
				assertThat(this.simulated.letsVote()).as(GuardDifferentialTests.this::recently).isEqualTo(this.votes);
				assertThat(this.simulated.mayExtend()).as(GuardDifferentialTests.this::recently)
					.isEqualTo(this.votes || this.judged.extendable());
				if (this.votes) {
					GuardDifferentialTests.this.transitions.took("ACQUIRE");
				}
				else {
					GuardDifferentialTests.this.transitions.refused("ACQUIRE");
				}
			}
		}

	}

}
