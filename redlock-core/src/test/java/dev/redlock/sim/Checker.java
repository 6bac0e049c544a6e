package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.ReleaseResult;
import dev.redlock.Tick;
import dev.redlock.internal.client.Internals;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;

/**
 * Watches from outside whether the promises are kept.
 */
final class Checker {

	static final String MUTUAL_EXCLUSION = "M";

	static final String PERMITS = "K";

	static final String UNIQUE_FENCES = "U";

	static final String ORDERED_FENCES = "I";

	static final String PROGRESS = "L";

	static final String LOSS_TOLD = "N";

	static final String NO_ORPHANS = "O";

	static final String NO_LEAKS = "T";

	static final String LOCK_DELAY = "D";

	static final String ONCE_PER_TICK = "J";

	/** How long a loss may stay untold when the machine was suspended meanwhile. */
	static final long AFTER_WAKING_NANOS = 1_000_000_000;

	/**
	 * In which a process finds out that it stood still. It asks for the time every tenth
	 * of a second unless it has heard from the server, so twice that may pass; it waits
	 * for the answer, and then asks all nodes up to five times. Where processes stand
	 * still, no answer is lost or slow.
	 */
	static final long PAUSE_NOTICED_NANOS = 2 * SimLink.IDLE_NANOS
			+ (1 + SimPauses.MOST_ROUNDS) * SimLink.ROUND_TRIP.toNanos();

	/** By how much a lease may be too long, from pauses too short to be noticed. */
	private static final Duration UNNOTICED_PAUSES = Duration.ofMillis(60);

	static final String KEPT_UNDER_WORK = "H";

	static final String PAUSE_NOTICED = "V";

	static final String TRY_AFTER_WAKING = "A";

	static final String SOMEBODY_ASKS = "W";

	static final String SOMEBODY_GETS_IT = "G";

	static final String ENDS_IN_TIME = "E";

	static final String STAGES_COMPLETE = "S";

	static final String NOTHING_REMEMBERED = "Q";

	static final String NOBODY_BETWEEN = "B";

	static final String TICKET_ENDS = "X";

	static final Duration CLOCK_DIFFERENCE = Duration.ofMillis(50);

	/**
	 * The share of a lock delay that is left when clocks do not run alike.
	 */
	private static final double LEAST_DELAY = 0.99;

	private static final int MOST_TICKETS = 4;

	private static final double TICKETS_LOST = 0.2;

	/** More than a command may be under way, or a server frozen. */
	private static final long TICKET_SLACK_NANOS = 1_000_000_000;

	private final World world;

	private final Plan plan;

	private final Map<String, List<Holding>> holdings = new HashMap<>();

	/** By name, whichever of its permits they have. */
	private final Map<String, List<Holding>> owners = new HashMap<>();

	private final Map<String, List<Holding>> delayed = new HashMap<>();

	private final Map<String, Set<Long>> fences = new HashMap<>();

	private final Map<String, Long> highest = new HashMap<>();

	private final Set<String> finished = new HashSet<>();

	private final Set<Tick> ticks = new HashSet<>();

	private final Set<String> leases = new HashSet<>();

	/** The interval of the jobs: less or more than a node is in quarantine. */
	private final Duration interval;

	/** How many leases on a name were handed out. */
	private final Map<String, Integer> handedOut = new HashMap<>();

	/** The leases that were detached last, by their tickets. */
	private final Map<String, Holding> detached = new LinkedHashMap<>();

	private final Set<String> usedTickets = new HashSet<>();

	private int won;

	/** Hears who asks for what; nobody where announcements get lost. */
	Consumer<List<String>> asked = (keys) -> {
	};

	Checker(World world, Plan plan) {
		this.world = world;
		this.plan = plan;
		this.interval = Duration.ofMillis((plan.has(Fault.JOBS) && world.chance(0.5)) ? 1_500 : 100);
	}

	/**
	 * A tick around the given time: the last one, one that is late, or one that is early.
	 */
	Tick tick(long nowMicros, boolean rerun) {
		long micros = this.interval.toNanos() / 1_000;
		long early = CLOCK_DIFFERENCE.toNanos() / 1_000;
		long number = (nowMicros + this.world.random.nextLong(early)) / micros;
		number -= this.world.chance(0.1) ? this.world.random.nextInt(3) : 0;
		return new Tick(number * micros, this.interval, CLOCK_DIFFERENCE, rerun);
	}

	/**
	 * The work of a tick begins. Unless it is taken over after a crash, it does so once,
	 * whatever clocks and servers do.
	 */
	void began(Tick tick) {
		if (!tick.rerun() && !this.ticks.add(tick)) {
			this.world.violated(ONCE_PER_TICK, "the tick of " + tick.dueMicros() + " ran twice");
		}
	}

	/**
	 * The highest fence handed out so far for a resource: what is asked for from now on
	 * has to be above it.
	 */
	long floor(String resource) {
		return this.highest.getOrDefault(resource, 0L);
	}

	/**
	 * Whether somebody believes to hold a name, or one of its permits.
	 */
	boolean isHeld(String name) {
		return this.holdings.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().split("#")[0].equals(name))
			.flatMap((entry) -> entry.getValue().stream())
			.anyMatch((holding) -> !holding.process.hasEnded() && holding.believesToHold());
	}

	int won() {
		return this.won;
	}

	/**
	 * Whether a lease was had with a token.
	 */
	boolean hasWon(String token) {
		return this.leases.contains(token);
	}

	/**
	 * A process closes its lock: at least for as long as its leases are valid now, nobody
	 * may enter while their work runs.
	 */
	void closes(SimProcess process) {
		this.holdings.values()
			.stream()
			.flatMap(List::stream)
			.filter((holding) -> holding.process == process && holding.believesToHold())
			.forEach((holding) -> holding.keptUntilNanos = this.world.nowNanos()
					+ process.clock.toWorldNanos(holding.lease.remaining().toNanos()));
	}

	private void checkKept(String resource, Holding holding, List<Holding> before) {
		for (Holding other : before) {
			if (!other.isReleased() && !other.process.hasEnded() && this.world.nowNanos() < other.keptUntilNanos) {
				this.world.violated(KEPT_UNDER_WORK,
						holding + " won " + resource + " under the work of " + other + ", which shuts down");
			}
		}
	}

	void won(Holding holding, Map<String, Long> floors) {
		this.won++;
		this.leases.add(Internals.token(holding.lease));
		for (String resource : Internals.keys(holding.lease)) {
			if (this.plan.has(Fault.PERMITS)) {
				checkPermits(resource.split("#")[0], holding);
			}
			if (this.plan.weakness() == Weakness.COUNTED_PERMITS) {
				continue;
			}
			List<Holding> others = this.holdings.computeIfAbsent(resource, (name) -> new ArrayList<>());
			checkKept(resource, holding, others);
			others.removeIf((other) -> other.process.hasEnded() || !other.believesToHold());
			for (Holding other : others) {
				if (holding.believesToHold() && !this.plan.maySplit()) {
					this.world.violated(MUTUAL_EXCLUSION, holding + " won while " + other + " holds " + resource);
				}
			}
			others.add(holding);
			holding.order.put(resource, this.handedOut.merge(resource, 1, Integer::sum));
			checkDelay(resource, holding);
			if (!holding.lease.isPermit()) {
				checkFence(resource, holding.lease.fence(), floors.get(resource));
			}
		}
	}

	/**
	 * A lease was detached. The longest ttl that it has had, and what may be under way,
	 * must be its end unless the ticket is used.
	 */
	void detached(String ticket, Holding holding, List<SimServer> servers) {
		if (this.world.chance(TICKETS_LOST)) {
			this.world.note(holding.process.name, "loses a ticket", 0);
		}
		else {
			this.detached.put(ticket, holding);
		}
		if (this.detached.size() > MOST_TICKETS) {
			this.detached.remove(this.detached.keySet().iterator().next());
		}
		String token = Internals.token(holding.lease);
		this.world.after(3 * Ticket.parse(ticket).longestTtl().toNanos() + TICKET_SLACK_NANOS, () -> {
			for (SimServer server : servers) {
				if (server.data.tokens().containsValue(token)) {
					this.world.violated(TICKET_ENDS, server.name + " still holds a detached lease");
				}
			}
		});
	}

	/**
	 * A ticket that any client may use, the first time or once more; null if there is
	 * none.
	 */
	String ticket() {
		List<String> tickets = List.copyOf(this.detached.keySet());
		return tickets.isEmpty() ? null : tickets.get(this.world.random.nextInt(tickets.size()));
	}

	/**
	 * A ticket works once, and nobody had the lock in between.
	 */
	void succeeded(String ticket, Holding holding) {
		Holding former = this.detached.get(ticket);
		if (former == null || this.plan.maySplit()) {
			return;
		}
		if (!this.usedTickets.add(ticket)) {
			this.world.violated(NOBODY_BETWEEN, holding + " used a ticket that was used before");
		}
		former.order.forEach((resource, order) -> {
			if (holding.order.get(resource) != order + 1) {
				this.world.violated(NOBODY_BETWEEN, "somebody had " + resource + " before " + holding);
			}
		});
	}

	/**
	 * A process that has been awake for a while has found out that it stood still, and
	 * believes in no lease beside that of another one.
	 */
	void requireNoticed(SimProcess process) {
		for (List<Holding> same : this.holdings.values()) {
			List<Holding> believed = same.stream()
				.filter((holding) -> holding.process.isAwakeFor(PAUSE_NOTICED_NANOS) && holding.believesToHold()
						&& holding.lease.remaining().compareTo(UNNOTICED_PAUSES) > 0)
				.toList();
			if (believed.size() > 1 && believed.stream().anyMatch((holding) -> holding.process == process)) {
				this.world.violated(PAUSE_NOTICED, "two believe in one lease after a pause: " + believed);
			}
		}
	}

	/**
	 * All nodes have confirmed the release of a lease: nothing of it may be anywhere, now
	 * or later.
	 */
	void released(String token, List<SimServer> servers) {
		this.finished.add(token);
		requireGone(token, servers);
	}

	/**
	 * A lease was released on servers that answer in time, so nothing of it is there.
	 */
	void requireGone(String token, List<SimServer> servers) {
		for (SimServer server : servers) {
			if (server.data.tokens().containsValue(token)) {
				this.world.violated(NO_ORPHANS, server.name + " holds what was released");
			}
		}
	}

	void written(String token, SimServer server) {
		if (this.finished.contains(token)) {
			this.world.violated(NO_ORPHANS, server.name + " wrote a claim after its confirmed release");
		}
	}

	private void checkPermits(String name, Holding holding) {
		List<Holding> others = this.owners.computeIfAbsent(name, (absent) -> new ArrayList<>());
		others.removeIf((other) -> other.process.hasEnded() || !other.believesToHold());
		if (others.size() >= this.plan.permits() && holding.believesToHold() && !this.plan.maySplit()) {
			this.world.violated(PERMITS, holding + " is one owner of " + name + " too many, beside " + others);
		}
		others.add(holding);
	}

	/**
	 * Nobody wins what was not released until the delay of its last holder has passed.
	 */
	private void checkDelay(String resource, Holding holding) {
		List<Holding> before = this.delayed.computeIfAbsent(resource, (name) -> new ArrayList<>());
		before.removeIf((other) -> other.isReleased());
		for (Holding other : before) {
			if (this.world.nowNanos() < other.freeAtNanos && !this.plan.maySplit()) {
				this.world.violated(LOCK_DELAY, holding + " won " + resource + " in the lock delay of " + other);
			}
		}
		if (holding.delayNanos > 0) {
			holding.freeAtNanos = this.world.nowNanos()
					+ holding.process.clock.toWorldNanos(holding.lease.remaining().toNanos())
					+ (long) (holding.delayNanos * LEAST_DELAY);
			before.add(holding);
		}
	}

	private void checkFence(String resource, long fence, long floor) {
		if (this.plan.mayRepeat()) {
			return;
		}
		if (!this.fences.computeIfAbsent(resource, (name) -> new HashSet<>()).add(fence)) {
			this.world.violated(UNIQUE_FENCES, resource + " had " + fence + " twice");
		}
		if (fence <= floor) {
			this.world.violated(ORDERED_FENCES, resource + " got " + fence + " after " + floor);
		}
		this.highest.merge(resource, fence, Math::max);
	}

	/**
	 * A lease and the process that believes in it.
	 */
	static final class Holding {

		final Lease lease;

		final SimProcess process;

		private final long lateEndNanos;

		private final long delayNanos;

		private final Map<String, Integer> order = new HashMap<>();

		private long freeAtNanos;

		private long believedUntilNanos;

		private long keptUntilNanos;

		private boolean released;

		/**
		 * Notes a lease.
		 * @param lateEndNanos until when the process believes in the lease whatever the
		 * lease says, or zero
		 * @param delayNanos the lock delay of the process
		 */
		Holding(Lease lease, SimProcess process, long lateEndNanos, long delayNanos) {
			this.lease = lease;
			this.process = process;
			this.lateEndNanos = lateEndNanos;
			this.delayNanos = delayNanos;
		}

		boolean believesToHold() {
			if (this.released) {
				return this.process.clock.nanoTime() < this.believedUntilNanos;
			}
			return this.lease.isValid()
					|| (this.lateEndNanos != 0 && this.process.clock.nanoTime() < this.lateEndNanos);
		}

		CompletionStage<ReleaseResult> release() {
			this.released = true;
			return this.lease.releaseAsync();
		}

		/**
		 * Detaches the lease.
		 * @param believed whether the process believes in it all the same
		 */
		String detach(boolean believed) {
			long end = this.process.clock.nanoTime() + this.lease.remaining().toNanos();
			String ticket = this.lease.detach();
			this.released = true;
			this.believedUntilNanos = believed ? end : this.process.clock.nanoTime();
			return ticket;
		}

		boolean isReleased() {
			return this.released;
		}

		@Override
		public String toString() {
			return this.process.name;
		}

	}

}
