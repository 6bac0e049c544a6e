package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;

/**
 * A Redis server: data, a clock, an incarnation; it freezes, dies and comes back.
 */
final class SimServer {

	final String name;

	final SimClock clock;

	final InMemoryNode data;

	private final World world;

	private final List<Runnable> backlog = new ArrayList<>();

	private boolean up = true;

	private boolean frozen;

	private int incarnation = 1;

	private long startedMicros;

	SimServer(World world, String name, SimClock clock, Duration clockTolerance) {
		this.world = world;
		this.name = name;
		this.clock = clock;
		this.data = new InMemoryNode(name, clock, clockTolerance);
		// It has been up for a long time when the story begins.
		this.startedMicros = clock.epochMicros() - 3_600_000_000L;
	}

	boolean isUp() {
		return this.up;
	}

	int incarnation() {
		return this.incarnation;
	}

	long uptimeMicros() {
		return this.clock.epochMicros() - this.startedMicros;
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
	 * Dies, with its data or without, and starts again later.
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
			this.data.forget();
		}
		this.world.after(downNanos, () -> {
			this.up = true;
			this.incarnation++;
			this.startedMicros = this.clock.epochMicros();
			this.world.note(this.name, "started", this.incarnation);
		});
	}

	/**
	 * Forgets its locks, as an eviction policy makes it do when memory is short.
	 */
	void evict() {
		this.data.tokens().forEach((key, token) -> {
			this.world.note(this.name, "evicts " + key, 0);
			this.data.release(new Claim(List.of(key), token, Duration.ofSeconds(1)), Duration.ZERO);
		});
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
