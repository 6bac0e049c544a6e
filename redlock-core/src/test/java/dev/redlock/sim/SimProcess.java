package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Vote;

/**
 * A process of a client: it may stand still at any moment, be suspended with its machine,
 * or end. What was to run meanwhile runs when it goes on.
 */
final class SimProcess implements EventLoop {

	static final Duration NODE_TIMEOUT = Duration.ofMillis(20);

	/** The share of timers that never run, where timers are lost. */
	private static final double LOST = 0.05;

	final String name;

	final SimClock clock;

	/** By how much this process is told wrong times, where it is told wrong times. */
	final long misledByMicros;

	/** Whether it hears of no release, and asks again and again instead. */
	final boolean deaf;

	/** Whether it may not announce its releases. */
	boolean silent;

	/** What it finds out about its pauses. */
	final SimPauses missed;

	/** Since when it has not stood still. */
	private long awakeSinceNanos;

	private final World world;

	private final Deque<Runnable> backlog = new ArrayDeque<>();

	/** The timers that stood still when they were looked at. */
	private final List<Runnable> stopped = new ArrayList<>();

	/** By how much timers are late that stood still; 0 unless they are weakened. */
	private final long lateAfterSleepNanos;

	private final Map<String, Vote> firstRefusals = new HashMap<>();

	/** The lease that was lost last on some keys. */
	private final Map<List<String>, String> lapsed = new HashMap<>();

	private boolean still;

	/** Whether one of its events is being handled. */
	private boolean running;

	private boolean ended;

	private int timers;

	private int suspensions;

	private int pauses;

	private final boolean losesTimers;

	private final boolean losesTimeouts;

	SimProcess(World world, String name, SimClock clock, Weakness weakness) {
		this.world = world;
		this.name = name;
		this.clock = clock;
		this.lateAfterSleepNanos = (weakness == Weakness.LATE_AFTER_SLEEP) ? 3_000_000_000L : 0;
		this.losesTimers = weakness == Weakness.TIMERS_LOST;
		this.losesTimeouts = weakness == Weakness.NO_NODE_TIMEOUT;
		this.missed = new SimPauses(world, this, weakness);
		this.deaf = world.chance(0.4);
		this.misledByMicros = world.random.nextLong(-80_000, 80_001);
	}

	void lost(List<String> keys, String token) {
		this.lapsed.put(keys, token);
	}

	/**
	 * Lets a claim take over the keys of a lease that was lost.
	 */
	Claim succeedingLapsed(Claim claim) {
		String token = this.lapsed.get(claim.keys());
		return (token != null && claim.succeeds() == null)
				? claim.succeeding(new Claim.Predecessor(token, Claim.UNFENCED, false)) : claim;
	}

	/**
	 * Runs something in this process as soon as it is awake.
	 */
	@Override
	public boolean run(Runnable work) {
		if (this.running && !this.ended) {
			return EventLoop.super.run(work);
		}
		execute(work);
		return true;
	}

	@Override
	public boolean inLoop() {
		return this.running;
	}

	@Override
	public void execute(Runnable event) {
		if (this.ended) {
			return;
		}
		this.backlog.add(event);
		if (!this.running) {
			handleBacklog();
		}
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		boolean[] over = new boolean[1];
		this.timers++;
		if ((this.losesTimers && this.world.chance(LOST)) || (this.losesTimeouts && delay.equals(NODE_TIMEOUT))) {
			return () -> {
			};
		}
		after(delay.toNanos(), () -> {
			if (!over[0]) {
				over[0] = true;
				this.timers--;
				task.run();
			}
		});
		return () -> {
			if (!over[0]) {
				over[0] = true;
				this.timers--;
			}
		};
	}

	/**
	 * Runs something later by the monotonic clock, which stands still while the machine
	 * is suspended.
	 */
	void after(long nanos, Runnable work) {
		at(this.clock.nanoTime() + nanos, work);
	}

	private void at(long dueNanos, Runnable work) {
		long left = dueNanos - this.clock.nanoTime();
		if (left <= 0) {
			run(work);
		}
		else if (this.clock.isSuspended()) {
			this.stopped.add(() -> at(dueNanos + this.lateAfterSleepNanos, work));
		}
		else {
			this.world.after(this.clock.toWorldNanos(left), () -> at(dueNanos, work));
		}
	}

	/**
	 * How often the machine has been suspended.
	 */
	int suspensions() {
		return this.suspensions;
	}

	/**
	 * How often the process has stood still.
	 */
	int pauses() {
		return this.pauses;
	}

	/**
	 * Stops the process for a while, and its machine's clocks or not.
	 * @param stopped what stops
	 */
	void pause(long nanos, Stopped stopped) {
		if (this.still || this.ended) {
			return;
		}
		boolean suspend = stopped != Stopped.PROCESS;
		this.world.note(this.name, suspend ? "suspended" : "paused", nanos);
		this.still = true;
		this.pauses++;
		if (suspend) {
			this.suspensions++;
			this.clock.suspend(stopped == Stopped.ALL_CLOCKS);
		}
		this.world.after(nanos, () -> {
			if (suspend) {
				this.clock.resume();
			}
			this.still = false;
			this.awakeSinceNanos = this.world.nowNanos();
			this.world.note(this.name, "awake", 0);
			List<Runnable> going = List.copyOf(this.stopped);
			this.stopped.clear();
			going.forEach(Runnable::run);
			handleBacklog();
		});
	}

	void crash() {
		this.world.note(this.name, "crashed", 0);
		this.ended = true;
		this.backlog.clear();
	}

	private void handleBacklog() {
		while (!this.still && !this.ended && !this.backlog.isEmpty()) {
			handle(this.backlog.remove());
		}
	}

	private void handle(Runnable work) {
		this.running = true;
		try {
			work.run();
		}
		finally {
			this.running = false;
		}
	}

	boolean isAwake() {
		return !this.still && !this.ended;
	}

	/**
	 * Whether it has been awake for so long.
	 */
	boolean isAwakeFor(long nanos) {
		return isAwake() && this.world.nowNanos() - this.awakeSinceNanos >= nanos;
	}

	boolean hasEnded() {
		return this.ended;
	}

	/**
	 * Takes later votes on a claim for what its first refusal said.
	 */
	Vote likeTheFirstRefusal(String token, Vote vote) {
		if (vote instanceof Vote.Refused) {
			this.firstRefusals.putIfAbsent(token, vote);
		}
		return this.firstRefusals.getOrDefault(token, vote);
	}

	/**
	 * How many timers this process has set that have neither run nor been cancelled.
	 */
	int timers() {
		return this.timers;
	}

	/** What stands still. */
	enum Stopped {

		/** The process alone. */
		PROCESS,

		/** Also the monotonic clock, as on a machine that is suspended. */
		MONOTONIC_CLOCK,

		/** Also the wall clock, as on a virtual machine that is paused from outside. */
		ALL_CLOCKS

	}

}
