package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockWorld;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimProcess.Stopped;
import dev.redlock.spi.Claim;

import static dev.redlock.Completed.completed;

/**
 * One run of the production lock in a simulated world: some seconds of use under faults,
 * then everything heals, and what was promised for then is looked at.
 */
final class Simulation {

	private static final Duration SHORT_MAX_TTL = Duration.ofMillis(400);

	private static final Duration LONG_MAX_TTL = Duration.ofSeconds(4);

	private static final Duration FAR_MAX_TTL = Duration.ofSeconds(12);

	private static final int CLIENTS = 3;

	private static final long STORY_NANOS = 2_500_000_000L;

	private static final long HEALING_NANOS = 1_500_000_000L;

	private static final long SETTLING_NANOS = 3_000_000_000L;

	private static final long FOR_EVER_NANOS = TimeUnit.HOURS.toNanos(1);

	/** Longer than a claim, to the end of which a waiter must not sleep. */
	private static final long UNSUBSCRIBED_NANOS = 800_000_000L;

	/** Longer than the node timeout. */
	private static final long LATE_NANOS = 50_000_000L;

	private static final long LATE_FOR_NANOS = 100_000_000L;

	private static final double RATE_SKEW = 0.004;

	private final World world;

	private final Plan plan;

	private final Checker checker;

	private final Duration maxTtl;

	private final List<SimServer> servers = new ArrayList<>();

	private final List<SimClient> clients = new ArrayList<>();

	private final SimIdleness idleness;

	private boolean healing;

	private Simulation(long seed, Plan plan, boolean tracing) {
		this.world = new World(seed, tracing);
		this.plan = plan;
		this.maxTtl = plan.has(Fault.LONG_CLAIMS) ? LONG_MAX_TTL
				: plan.has(Fault.FAR_CLAIMS) ? FAR_MAX_TTL : SHORT_MAX_TTL.multipliedBy(plan.scale());
		this.checker = new Checker(this.world, plan);
		for (int i = 0; i < plan.nodes(); i++) {
			this.servers.add(server("n" + i));
		}
		for (int i = 0; i < CLIENTS; i++) {
			this.clients.add(client(false));
		}
		this.idleness = new SimIdleness(this.world, plan, this.checker, this.clients, this.maxTtl);
	}

	/**
	 * Runs one seed.
	 */
	static Result run(long seed, Plan plan, boolean tracing) {
		return new Simulation(seed, plan, tracing).run();
	}

	private Result run() {
		this.clients.forEach(SimClient::start);
		if (this.plan.has(Fault.ONE_DOWN)) {
			restart(this.servers.get(0), FOR_EVER_NANOS, false);
		}
		if (this.plan.has(Fault.WAITING)) {
			this.checker.asked = this.idleness::asked;
			this.idleness.start();
		}
		nextFault();
		this.world.runUntil(this.plan.scale() * STORY_NANOS);
		this.healing = true;
		this.world.runUntil(this.plan.scale() * (STORY_NANOS + HEALING_NANOS));
		this.clients.forEach(SimClient::stop);
		this.idleness.stop();
		if (this.plan.weakness() == Weakness.NONE) {
			checkProgress();
			checkQueues();
			checkOrphans();
		}
		else if (this.plan.weakness() == Weakness.TIMERS_LOST) {
			this.world.runUntil(this.world.nowNanos() + SETTLING_NANOS);
			checkQueues();
		}
		return new Result(this.world.violations(), this.world.happened(), this.checker.won(), this.world.hash(),
				this.world.trace());
	}

	private SimServer server(String name) {
		if (!this.plan.has(Fault.COUNTERS_AHEAD)) {
			return new SimServer(this.world, this.plan, name, clock(5_000), this.maxTtl.dividedBy(2), isDurable());
		}
		SimServer server = new SimServer(this.world, this.plan, name, clock(5_000), Duration.ofDays(2), isDurable());
		Claim former = new Claim(List.of("x", "y"), "former", this.maxTtl);
		long ahead = TimeUnit.DAYS.toMicros(1) + this.world.random.nextInt(4);
		server.data.acquire(former, server.clock.epochMicros() / 1_000_000 * 1_000_000 + ahead);
		server.data.release(former, Duration.ZERO);
		return server;
	}

	/**
	 * A server that writes every change to disk, or one that is taken for one that does
	 * not and then keeps its data by luck.
	 */
	private boolean isDurable() {
		return this.plan.has(Fault.RESTART_KEEPING)
				&& (!this.plan.has(Fault.RESTART_EMPTY) || this.world.random.nextBoolean());
	}

	private SimClient client(boolean fresh) {
		int index = this.clients.size();
		SimProcess process = new SimProcess(this.world, "c" + index, clock(20_000), this.plan.weakness());
		process.silent = this.plan.has(Fault.SILENT) && this.world.chance(0.3);
		List<SimLink> links = new ArrayList<>();
		for (int i = 0; i < this.servers.size(); i++) {
			boolean known = this.plan.weakness() != Weakness.TWO_LISTS || ((index % 2 == 0) ? i < 3 : i >= 2);
			if (known) {
				SimServer server = this.servers.get(i);
				links.add(fresh ? SimLink.fresh(this.world, this.checker, process, server, this.plan, this.maxTtl)
						: SimLink.established(this.world, this.checker, process, server, this.plan, this.maxTtl));
			}
		}
		return new SimClient(this.world, this.checker, this.plan, process, links, this.maxTtl);
	}

	private SimClock clock(long maxOffsetMicros) {
		double skew = this.plan.has(Fault.SKEW) ? (this.world.random.nextBoolean() ? RATE_SKEW : -RATE_SKEW) : 0;
		return new SimClock(this.world, 1 + skew, this.world.random.nextLong(-maxOffsetMicros, maxOffsetMicros + 1));
	}

	private void nextFault() {
		this.world.after(this.plan.scale() * this.world.micros(5_000, 150_000), () -> {
			if (!this.healing) {
				List<Fault> faults = this.plan.faults().stream().sorted().toList();
				if (!faults.isEmpty()) {
					happen(faults.get(this.world.random.nextInt(faults.size())));
				}
				nextFault();
			}
		});
	}

	private void happen(Fault fault) {
		SimServer server = this.servers.get(this.world.random.nextInt(this.servers.size()));
		SimClient client = this.clients.get(this.world.random.nextInt(this.clients.size()));
		SimLink link = client.links.get(this.world.random.nextInt(client.links.size()));
		switch (fault) {
			case PAUSE -> client.process.pause(this.world.micros(1_000, 500_000), Stopped.PROCESS);
			case SUSPEND, SLEEP ->
				client.process.pause(this.plan.scale() * this.world.micros(1_000, 900_000), Stopped.MONOTONIC_CLOCK);
			case WAKE -> client.process.pause(this.plan.scale() * this.world.micros(500_000, 900_000),
					Stopped.values()[this.world.random.nextInt(Stopped.values().length)]);
			case STANDSTILL -> {
				long nanos = this.world.micros(1_000, 900_000);
				client.process.pause(nanos, Stopped.ALL_CLOCKS);
				this.world.after(nanos + Checker.PAUSE_NOTICED_NANOS,
						() -> this.checker.requireNoticed(client.process));
			}
			case CRASH -> crash(client);
			case RESTART_OF_LOCK -> client.closeForAWhile();
			case BREAK -> link.connection.breakOff(false);
			case CUT -> link.connection.cut(this.world.micros(1_000, 300_000));
			case FREEZE -> server.freeze(this.world.micros(1_000, 400_000));
			case RESTART_KEEPING -> restart(server, this.world.micros(100, 50_000), false);
			case RESTART_EMPTY -> restart(server, this.world.micros(100, 50_000), true);
			case CLIENT_STEP -> client.process.clock.step(this.world.random.nextLong(-80_000, 80_001));
			case NODE_STEP -> server.clock.stepTo(this.world.random.nextLong(-90_000, 90_001));
			case EVICTION -> server.evict();
			case KEY_DELETED -> {
				String key = SimClient.RESOURCES.get(this.world.random.nextInt(2));
				this.servers.forEach((each) -> each.delete(key));
			}
			case FLUSH -> server.flush();
			case NODE_LEAP -> server.leap();
			case NODE_CREEP -> this.servers.forEach(SimServer::creep);
			case NODE_LEAPS_APART -> this.servers.forEach((each) -> each.leapTogether(false));
			case NODE_LEAPS_ALIKE -> this.servers.forEach((each) -> each.leapTogether(true));
			case FAR_LEAP -> server.leapFarAndBack();
			case POLICY -> server.evictForAWhile(SimLink.LONGEST_LOOK_NANOS);
			case UNSUBSCRIBED ->
				this.clients.forEach((each) -> each.links.forEach((lost) -> lost.unsubscribe(UNSUBSCRIBED_NANOS)));
			case LOST_RELEASES -> client.links.forEach((each) -> each.loseReleases(this.world.micros(1_000, 400_000)));
			case LATE_ANSWERS -> client.links.forEach((each) -> each.connection.answerLate(LATE_FOR_NANOS, LATE_NANOS));
			case SLOW, RECONFIGURED, DECLARED, SKEW, BAD_HINTS, COUNTERS_AHEAD, LOST_BEFORE_RAISE, HURRY, IMPATIENCE,
					JOBS, WAITING, TOGETHER, SEVERAL_NAMES, ONE_DOWN, SILENT, PERMITS, LOST_NEWS, CROWD, LONG_CLAIMS,
					FAR_CLAIMS, FICKLE, SOME_NODES, TICKETS -> {
				// Always there, no event of its own.
			}
		}
	}

	/**
	 * Ends a client. Another one takes its place after a while, and knows nothing.
	 */
	private void crash(SimClient client) {
		long alive = this.clients.stream().filter((other) -> !other.process.hasEnded()).count();
		if (alive > 1 && !client.process.hasEnded()) {
			client.process.crash();
			client.links.forEach(SimLink::lost);
			this.world.after(this.world.micros(1_000, 300_000), () -> {
				if (!this.healing) {
					SimClient fresh = client(true);
					this.clients.add(fresh);
					this.world.note(fresh.process.name, "starts", 0);
					fresh.start();
				}
			});
		}
	}

	private void restart(SimServer server, long downNanos, boolean losesData) {
		server.restart(downNanos, losesData);
		for (SimClient client : this.clients) {
			client.links.stream()
				.filter((link) -> link.name().equals(server.name))
				.forEach((link) -> link.connection.breakOff(true));
		}
	}

	/**
	 * With everything healed, whoever asks gets every name in time.
	 */
	private void checkProgress() {
		SimClient client = this.clients.stream().filter((one) -> !one.process.hasEnded()).findFirst().orElseThrow();
		for (String resource : List.of("x", "y")) {
			var attempt = client.askOnce(resource, Duration.ofSeconds(2).multipliedBy(this.plan.scale()));
			this.world.runUntil(this.world.nowNanos() + this.plan.scale() * 2_500_000_000L);
			if (!attempt.isDone() || completed(attempt).lease().isEmpty()) {
				this.world.violated(Checker.PROGRESS, resource + " is not to be had");
			}
		}
	}

	/**
	 * Once all requests and leases have ended, no client remembers a key.
	 */
	private void checkQueues() {
		for (SimClient client : this.clients) {
			if (!client.process.hasEnded() && LockWorld.queues(client.redlock) > 0) {
				this.world.violated(Checker.NOTHING_REMEMBERED, client.process.name + " remembers keys");
			}
		}
	}

	/**
	 * What the clients let go of is on no server, and no timer of theirs is left.
	 */
	private void checkOrphans() {
		for (SimClient client : this.clients) {
			if (!client.process.hasEnded()) {
				client.redlock.close();
			}
		}
		this.world.runUntil(this.world.nowNanos() + 30_000_000L);
		for (SimServer server : this.servers) {
			if (!server.data.tokens().isEmpty()) {
				this.world.violated(Checker.NO_ORPHANS, server.name + " still holds " + server.data.tokens().keySet());
			}
		}
		this.world.runUntil(this.world.nowNanos() + SETTLING_NANOS);
		for (SimClient client : this.clients) {
			if (!client.process.hasEnded() && client.process.timers() > 0) {
				this.world.violated(Checker.NO_LEAKS,
						client.process.name + " left " + client.process.timers() + " timers");
			}
		}
	}

	/**
	 * What came of a run.
	 */
	record Result(List<String> violations, long events, int won, long hash, List<String> trace) {

	}

}
