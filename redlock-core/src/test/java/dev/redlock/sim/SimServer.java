package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimMarker.Sighting;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;

/**
 * A Redis server: data, a clock, an incarnation; it freezes, dies and comes back.
 */
final class SimServer {

	/**
	 * Where the clock steps: forward only to where it has not been before, so that a
	 * client that missed some steps sees one all the same; and never so far that the node
	 * does not vote on fences.
	 */
	private static final long[] LEVELS_MICROS = { 80_000, 50_000, 160_000 };

	/**
	 * In sum not so far that the node does not vote on fences.
	 */
	private static final int CREEPS = 18;

	private static final long[] CREEP_MICROS = { 9_000, 9_000, 3_000 };

	/** How far clocks leap that leap together, and by how much more each next one. */
	private static final long TOGETHER_MICROS = 60_000;

	private static final long APART_MICROS = 30_000;

	/** How far the clock of a server that takes another's place is from the true time. */
	private static final long OTHER_CLOCK_MICROS = 4_000;

	final String name;

	final SimClock clock;

	final InMemoryNode data;

	private final World world;

	private final Plan plan;

	private final SimMarker marker;

	private boolean durable;

	private boolean ownFile = true;

	private boolean seen = true;

	private boolean evicts;

	private final List<Runnable> backlog = new ArrayList<>();

	private boolean up = true;

	private boolean frozen;

	private int incarnation = 1;

	private int leaps;

	private boolean crept;

	private final int number;

	SimServer(World world, Plan plan, String name, SimClock clock, Duration clockTolerance, boolean durable) {
		this.world = world;
		this.plan = plan;
		this.name = name;
		this.number = Integer.parseInt(name.substring(1));
		this.clock = clock;
		this.data = new InMemoryNode(name, clock, clockTolerance);
		this.durable = durable;
		// It has been known for a long time when the story begins.
		this.marker = new SimMarker(name, plan.weakness() == Weakness.NEW_LIFE_VOUCHES);
		this.marker.knownForLong(incarnation(), durable || plan.has(Fault.DECLARED), clock.epochMicros());
	}

	boolean isUp() {
		return this.up;
	}

	boolean isFrozen() {
		return this.frozen;
	}

	String incarnation() {
		return Integer.toString(this.incarnation);
	}

	/**
	 * What tells whether the data are those that a client knows; empty if nothing does.
	 */
	String marker() {
		return this.marker.id();
	}

	/**
	 * Tells a client since when this life of the server has been known to any client.
	 * @param known the life that the client knew, or nothing
	 * @param knownDurable whether that life was durable
	 * @param clientMicros the time of the client
	 */
	Sighting look(String known, boolean knownDurable, long clientMicros) {
		this.seen = true;
		boolean declared = this.plan.has(Fault.DECLARED);
		return this.marker.look(known, knownDurable, incarnation(), declared || this.durable, declared || this.ownFile,
				this.clock.epochMicros(), clientMicros);
	}

	/**
	 * Whether it is set to delete locks when its memory runs out.
	 */
	boolean mayEvict() {
		return this.evicts;
	}

	/**
	 * Executes an operation when the server comes to it, unless it dies before.
	 */
	void execute(Function<InMemoryNode, Vote> operation, Consumer<Vote> reply) {
		if (!this.up) {
			return;
		}
		Runnable work = () -> reply.accept(operation.apply(this.data));
		if (this.frozen) {
			this.backlog.add(work);
		}
		else {
			work.run();
		}
	}

	void freeze(long nanos) {
		if (!this.up || this.frozen) {
			return;
		}
		this.world.note(this.name, "frozen", nanos);
		this.frozen = true;
		this.world.after(nanos, this::thaw);
	}

	/**
	 * Dies, with its data or without, and starts again later. Without: all is gone, or,
	 * if not every write went to disk, an old snapshot is back that knows no locks.
	 */
	void restart(long downNanos, boolean losesData) {
		if (!this.up) {
			return;
		}
		this.world.note(this.name, losesData ? "dies and forgets" : "dies", downNanos);
		this.up = false;
		this.frozen = false;
		this.backlog.clear();
		if (losesData) {
			loseData();
		}
		this.world.after(downNanos, () -> {
			this.up = true;
			this.incarnation++;
			if (this.plan.has(Fault.DECLARED)) {
				this.clock.stepTo(this.world.random.nextLong(-OTHER_CLOCK_MICROS, OTHER_CLOCK_MICROS + 1));
			}
			if (this.plan.has(Fault.RECONFIGURED)) {
				this.durable = this.world.random.nextBoolean();
				// A life that no client has seen leaves the file of the one before as it
				// was. To keep that file here too, the next life starts with a snapshot.
				this.ownFile = (this.ownFile || this.seen) && (this.durable || this.world.random.nextBoolean());
				this.seen = false;
				if (!this.ownFile) {
					// It starts with a snapshot, whatever the former process wrote.
					forget(false);
				}
			}
			this.world.note(this.name, "started", this.incarnation);
		});
	}

	/**
	 * Forgets its locks, as an eviction policy makes it do when memory is short.
	 */
	void evict() {
		this.data.tokens().keySet().forEach(this::delete);
	}

	void delete(String key) {
		String token = this.data.tokens().get(key);
		if (token != null) {
			this.world.note(this.name, "loses " + key, 0);
			this.data.release(new Claim(List.of(key), token, Duration.ofSeconds(1)), Duration.ZERO);
		}
	}

	/**
	 * Is set to evict, does so when every client has had the time to look, and is set
	 * back later.
	 */
	void evictForAWhile(long lookNanos) {
		if (this.evicts) {
			return;
		}
		this.world.note(this.name, "may evict", 0);
		this.evicts = true;
		this.world.after(lookNanos, () -> {
			evict();
			this.world.after(this.world.micros(1_000, 100_000), () -> {
				this.world.note(this.name, "may evict no more", 0);
				this.evicts = false;
			});
		});
	}

	/**
	 * Its clock goes forward by more than anything is kept for, and back again before
	 * anybody asks.
	 */
	void leapFarAndBack() {
		if (this.up) {
			this.world.note(this.name, "leaps far ahead and back", 0);
			forget(this.plan.weakness() != Weakness.ETERNAL_MARKER);
		}
	}

	/**
	 * Its clock gains in steps that are too small to be noticed one by one.
	 */
	void creep() {
		if (!this.crept) {
			this.crept = true;
			this.world.note(this.name, "begins to creep ahead", 0);
			creep(CREEPS);
		}
	}

	/**
	 * Loses all its data while it runs on.
	 */
	void flush() {
		if (this.up) {
			this.world.note(this.name, "flushed", 0);
			forget(true);
		}
	}

	/**
	 * Steps its clock to its next level, if there is one left.
	 */
	void leap() {
		if (this.leaps < LEVELS_MICROS.length) {
			this.clock.stepTo(LEVELS_MICROS[this.leaps++]);
			this.world.note(this.name, "steps its clock", this.clock.epochMicros());
		}
	}

	/**
	 * Steps its clock once, together with those of the other servers.
	 * @param alike whether all step by the same
	 */
	void leapTogether(boolean alike) {
		if (this.leaps == 0) {
			this.leaps++;
			this.clock.stepTo(TOGETHER_MICROS + (alike ? 0 : this.number * APART_MICROS));
			this.world.note(this.name, "steps its clock with others", this.clock.epochMicros());
		}
	}

	private void creep(int steps) {
		this.clock.step(CREEP_MICROS[this.number % CREEP_MICROS.length]);
		if (steps > 1) {
			this.world.after(this.world.micros(60_000, 100_000), () -> creep(steps - 1));
		}
	}

	/**
	 * A life that no client has seen wrote nothing, so its crash loses nothing but the
	 * disk: it only appends to the file of the life before.
	 */
	private void loseData() {
		if (this.plan.has(Fault.DECLARED)) {
			forget(this.plan.weakness() != Weakness.FALSE_DECLARATION);
			return;
		}
		boolean everything = this.durable || this.world.random.nextBoolean();
		if (everything || this.seen) {
			forget(everything);
		}
	}

	private void forget(boolean everything) {
		this.data.forget();
		if (everything) {
			this.marker.forget();
		}
	}

	private void thaw() {
		if (!this.frozen) {
			return;
		}
		this.world.note(this.name, "thawed", 0);
		this.frozen = false;
		List<Runnable> due = new ArrayList<>(this.backlog);
		this.backlog.clear();
		due.forEach(Runnable::run);
	}

}
