package dev.redlock.lettuce.internal.clock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.check.ScriptedServer;
import dev.redlock.lettuce.internal.connection.LoopWithTimers;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random pauses of a process and steps of its servers' clocks, with slow and lost
 * answers. Each sequence ends with prompt answers of all servers.
 * {@code -Dredlock.sequences=…} plays more of them.
 */
class ClockSequencesTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	private static final int EVENTS = 40;

	/** What the time on the way may hide. */
	private static final long SLOW_MICROS = 20_000;

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock.node");

	@BeforeEach
	void keepTheLogShort() {
		this.logger.setLevel(Level.ERROR);
	}

	@AfterEach
	void logAgain() {
		this.logger.setLevel(null);
	}

	@Test
	@Timeout(600)
	void noLeaseOutlivesItsKeysAndNoNodeWaitsForAPauseOfThisProcess() {
		List<Long> outlived = new ArrayList<>();
		List<Long> accused = new ArrayList<>();
		for (long seed = 0; seed < Long.getLong("redlock.sequences", 1500); seed++) {
			Sequence sequence = new Sequence(seed);
			sequence.play();
			assertThat(sequence.votes).as("seed %d", seed).allMatch(CompletableFuture::isDone);
			if (sequence.hasLeaseThatOutlivesAKey()) {
				outlived.add(seed);
			}
			if (sequence.isExact() && sequence.servers.stream().anyMatch((server) -> server.doubtedNanos >= 0)) {
				accused.add(seed);
			}
		}
		assertThat(outlived).as("seeds with a lease that outlives a key").isEmpty();
		assertThat(accused).as("seeds with a node that waits for a pause").isEmpty();
	}

	private static final class Sequence {

		private final SplittableRandom random;

		private final ManualTime time = new ManualTime();

		private final NodeSettings settings = NodeFixture.settings(true, MAX_TTL);

		private final Clock clock = new Clock();

		private final EventLoop loop = new LoopWithTimers(this.time, this::schedule);

		private final PauseDetector pauses;

		private final List<Server> servers = new ArrayList<>();

		private final List<Lease> leases = new ArrayList<>();

		private final List<CompletableFuture<Vote>> votes = new ArrayList<>();

		/** What the process will handle when it goes on; null while it runs. */
		private List<Runnable> delayed;

		private boolean prompt = true;

		private final boolean wallStops;

		private final boolean steps;

		private final boolean lossy;

		private final boolean slow;

		private Sequence(long seed) {
			this.random = new SplittableRandom(seed);
			int nodes = this.random.nextBoolean() ? 3 : 5;
			this.wallStops = this.random.nextInt(3) == 0;
			this.steps = this.random.nextBoolean();
			this.lossy = this.random.nextBoolean();
			this.slow = this.random.nextBoolean();
			this.pauses = new PauseDetector(nodes, this.settings, this.loop, this.clock);
			for (int i = 0; i < nodes; i++) {
				this.servers.add(new Server());
			}
		}

		void play() {
			settle();
			this.prompt = false;
			int rate = this.random.nextInt(1, 12);
			for (int i = 0; i < EVENTS; i++) {
				if (this.random.nextInt(20) < rate) {
					happen();
				}
				else {
					tryAll();
					pass((this.random.nextInt(5) == 0) ? 3000 : 30);
				}
				if (this.random.nextInt(10) == 0) {
					this.leases.add(new Lease());
				}
			}
			this.prompt = true;
			settle();
		}

		/**
		 * Whether answers and the wall clock show exactly what is a pause.
		 */
		boolean isExact() {
			return !this.steps && !this.slow && !this.lossy && this.wallStops;
		}

		private void happen() {
			switch (this.random.nextInt(this.steps ? 0 : 1, 4)) {
				case 0 -> this.servers.get(this.random.nextInt(this.servers.size())).step();
				case 1, 2 -> pause(Duration.ofMillis(this.random.nextInt(1, 1500)));
				default -> pause(Duration.ofMillis(this.random.nextInt(1, 100)));
			}
		}

		private void pass(int mostMillis) {
			this.time.advance(Duration.ofMillis(this.random.nextInt(mostMillis)));
		}

		private void settle() {
			for (int i = 0; i < 3; i++) {
				this.time.advance(Duration.ofSeconds(1));
				tryAll();
				this.time.advance(this.settings.nodeTimeout().multipliedBy(6));
			}
		}

		/**
		 * A server that waits takes no keys, so the lease has none there, or no other
		 * lease can have.
		 */
		boolean hasLeaseThatOutlivesAKey() {
			long allowed = ClockWatch.unnoticed(MAX_TTL).toNanos() / 1000 + SLOW_MICROS;
			return this.leases.stream()
				.filter((lease) -> this.time.nanoTime() - lease.startNanos < MAX_TTL.toNanos())
				.anyMatch((lease) -> this.servers.stream()
					.anyMatch((server) -> server.votedAt(lease.startNanos) && lease.isBehind(server, allowed)));
		}

		private long accounted() {
			return (this.clock.nanoTime() + this.pauses.missedNanos()) / 1000;
		}

		private void tryAll() {
			this.servers.forEach(Server::acquire);
		}

		/** Servers go on meanwhile. */
		private void pause(Duration pause) {
			if (this.random.nextBoolean()) {
				tryAll();
				pass(3);
			}
			if (Boolean.getBoolean("dbg")) {
				System.out.println("PAUSE " + pause + " at " + this.time.nanoTime() / 1000000);
			}
			this.delayed = new ArrayList<>();
			this.time.advance(pause);
			this.clock.missedNanos += pause.toNanos();
			List<Runnable> work = this.delayed;
			this.delayed = null;
			work.forEach(this::deliver);
			pass(500);
			tryAll();
			pass(3000);
		}

		private void deliver(Runnable work) {
			if (this.delayed != null) {
				this.delayed.add(work);
			}
			else {
				this.time.execute(work);
			}
		}

		private Scheduler.Timeout schedule(Duration delay, Runnable task) {
			return this.time.schedule(delay, () -> deliver(task));
		}

		/**
		 * Sends a question whose answer is the time of a server.
		 */
		private void send(Server server, LongConsumer answered) {
			boolean lost = this.lossy && !this.prompt && this.random.nextInt(15) == 0;
			int most = (this.slow && !this.prompt && this.random.nextInt(10) == 0) ? 300_000_000 : 2_000_000;
			server.there = Math.max(server.there, this.time.nanoTime() + this.random.nextInt(most));
			at(server.there, () -> {
				long micros = server.micros();
				server.back = Math.max(server.back, this.time.nanoTime() + this.random.nextInt(most));
				if (!lost) {
					at(server.back, () -> deliver(() -> answered.accept(micros)));
				}
			});
		}

		private void at(long nanos, Runnable event) {
			this.time.schedule(Duration.ofNanos(nanos - this.time.nanoTime()), event);
		}

		private final class Server {

			private final NodeClocks clocks;

			private final ClockWatch watch;

			private long steppedMicros;

			private long doubtedNanos = -1;

			/** When the last command arrived there, and its answer here. */
			private long there;

			private long back;

			private Server() {
				NodeContext context = new NodeContext("n", false, Sequence.this.settings, new ServerRegistry(),
						Sequence.this.pauses, Sequence.this.loop, Sequence.this.clock);
				this.clocks = new NodeClocks(context, this::ask, (micros) -> {
					this.doubtedNanos = (micros > 0) ? Sequence.this.time.nanoTime() : this.doubtedNanos;
					return micros > 0;
				});
				this.watch = this.clocks.of("", ScriptedServer.facts("a"));
			}

			private boolean votedAt(long nanos) {
				return this.doubtedNanos < 0 || nanos - this.doubtedNanos > MAX_TTL.toNanos();
			}

			private long micros() {
				return Sequence.this.time.epochMicros() + this.steppedMicros;
			}

			private void step() {
				this.steppedMicros += Sequence.this.random.nextInt(-200_000, 800_000);
			}

			private void acquire() {
				CompletableFuture<Vote> vote = new CompletableFuture<>();
				int steps = this.clocks.forwardSteps();
				long sent = Sequence.this.clock.nanoTime();
				send(this, (micros) -> {
					Sequence.this.votes.add(vote);
					this.clocks.complete(vote, new Granted(Claim.UNFENCED, micros), false, this.watch, sent, steps);
				});
			}

			private CompletionStage<?> ask() {
				CompletableFuture<Void> answer = new CompletableFuture<>();
				long sent = Sequence.this.clock.nanoTime();
				send(this, (micros) -> {
					this.clocks.observe(this.watch, sent, micros);
					answer.complete(null);
				});
				return answer;
			}

		}

		private final class Lease {

			private final long startNanos = Sequence.this.time.nanoTime();

			private final long accountedMicros = accounted();

			private final Map<Server, Long> serverMicros = Sequence.this.servers.stream()
				.collect(Collectors.toMap(Function.identity(), Server::micros));

			private boolean isBehind(Server server, long allowedMicros) {
				long gone = server.micros() - this.serverMicros.get(server);
				return gone - (accounted() - this.accountedMicros) > allowedMicros;
			}

		}

		private final class Clock implements Ticker {

			private long missedNanos;

			@Override
			public long nanoTime() {
				return Sequence.this.time.nanoTime() - this.missedNanos;
			}

			@Override
			public long epochMicros() {
				return Sequence.this.time.epochMicros() - (Sequence.this.wallStops ? this.missedNanos / 1000 : 0);
			}

		}

	}

}
