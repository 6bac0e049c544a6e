package dev.redlock.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimMarker.Sighting;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;

/**
 * The connection of one client to one server: it keeps order, breaks and comes back.
 */
final class SimConnection {

	/** The share of answers that never come, where no round times out. */
	private static final double LOST = 0.05;

	private final World world;

	private final SimProcess client;

	private final SimServer server;

	private final Plan plan;

	private final Supplier<Sighting> hello;

	private final Consumer<Sighting> opened;

	private final Runnable lost;

	private final List<Sent> inFlight = new ArrayList<>();

	private boolean open;

	private int number;

	private long lastArrivalNanos;

	private long lastReplyNanos;

	private long cutUntilNanos;

	private long lateUntilNanos;

	private long lateNanos;

	/**
	 * A connection that is not open yet.
	 * @param hello what the server is asked first on each new connection
	 * @param opened is told the answer, in the client, when the connection is open
	 * @param lost runs when the connection breaks
	 */
	SimConnection(World world, SimProcess client, SimServer server, Plan plan, Supplier<Sighting> hello,
			Consumer<Sighting> opened, Runnable lost) {
		this.world = world;
		this.client = client;
		this.server = server;
		this.plan = plan;
		this.hello = hello;
		this.opened = opened;
		this.lost = lost;
	}

	boolean isOpen() {
		return this.open;
	}

	/**
	 * Says that the connection has been open for long.
	 */
	void haveBeenOpen() {
		this.open = true;
	}

	/**
	 * Sends something to be executed by the server. The answer comes in the client.
	 */
	CompletableFuture<Vote> send(Function<InMemoryNode, Vote> operation) {
		Sent sent = new Sent(operation);
		transmit(sent);
		return sent.answer;
	}

	/**
	 * Holds back what travels either way for a while.
	 */
	void cut(long nanos) {
		this.world.note(this.client.name, "cut off from " + this.server.name, nanos);
		this.cutUntilNanos = this.world.nowNanos() + nanos;
	}

	/**
	 * Lets each answer take longer for a while.
	 */
	void answerLate(long nanos, long longer) {
		this.lateUntilNanos = this.world.nowNanos() + nanos;
		this.lateNanos = longer;
	}

	boolean isCut() {
		return this.world.nowNanos() < this.cutUntilNanos;
	}

	/**
	 * Breaks the connection. What is in flight may still arrive.
	 */
	void breakOff(boolean serverDied) {
		if (!this.open) {
			return;
		}
		this.world.note(this.client.name, "lost its connection to " + this.server.name, 0);
		this.open = false;
		this.number++;
		this.lost.run();
		List<Sent> lost = new ArrayList<>(this.inFlight);
		if (serverDied) {
			lost.forEach((sent) -> sent.killed = true);
		}
		if (this.plan.weakness() != Weakness.REPLAY) {
			this.client.run(() -> lost
				.forEach((sent) -> sent.answer.complete(new Faulted(Vote.Fault.UNAVAILABLE, "connection lost", true))));
		}
		this.world.after(this.world.micros(1_000, 50_000), this::connect);
	}

	/**
	 * Says hello on a new connection. The server first ends the old one: what is still in
	 * flight there can no longer arrive.
	 */
	void connect() {
		if (this.client.hasEnded() || this.open) {
			return;
		}
		if (!this.server.isUp()) {
			this.world.after(this.world.micros(10_000, 100_000), this::connect);
			return;
		}
		int attempt = ++this.number;
		this.world.after(arrival() - this.world.nowNanos(), () -> this.server.execute((data) -> {
			List.copyOf(this.inFlight).forEach((sent) -> sent.killed = true);
			Sighting seen = this.hello.get();
			this.world.after(arrival() - this.world.nowNanos(), () -> this.client.run(() -> greeted(attempt, seen)));
			return Vote.Granted.PLAIN;
		}, (vote) -> {
		}));
		this.world.after(this.world.micros(400_000, 500_000), () -> {
			if (attempt == this.number) {
				connect();
			}
		});
	}

	private void greeted(int attempt, Sighting seen) {
		if (this.open || attempt != this.number) {
			return;
		}
		if (!this.server.isUp() || !this.server.incarnation().equals(seen.incarnation())) {
			// The connection went down with the server that had answered.
			connect();
			return;
		}
		this.open = true;
		this.lastArrivalNanos = 0;
		this.lastReplyNanos = 0;
		List<Sent> unanswered = new ArrayList<>(this.inFlight);
		this.inFlight.clear();
		this.opened.accept(seen);
		if (this.plan.weakness() == Weakness.REPLAY) {
			unanswered.forEach((sent) -> {
				sent.killed = false;
				transmit(sent);
			});
		}
	}

	private void transmit(Sent sent) {
		sent.number = this.number;
		this.inFlight.add(sent);
		this.lastArrivalNanos = Math.max(this.lastArrivalNanos, arrival());
		this.world.after(this.lastArrivalNanos - this.world.nowNanos(), () -> arrive(sent));
	}

	private void arrive(Sent sent) {
		if (!sent.killed) {
			this.server.execute((data) -> sent.killed ? new Faulted(Vote.Fault.UNAVAILABLE, "connection killed", false)
					: sent.operation.apply(data), (vote) -> reply(sent, vote));
		}
	}

	private void reply(Sent sent, Vote vote) {
		if (this.plan.weakness() == Weakness.NO_NODE_TIMEOUT && this.world.chance(LOST)) {
			return;
		}
		long late = (this.world.nowNanos() < this.lateUntilNanos) ? this.lateNanos : 0;
		this.lastReplyNanos = Math.max(this.lastReplyNanos, arrival() + late);
		this.world.after(this.lastReplyNanos - this.world.nowNanos(), () -> {
			if (sent.number == this.number) {
				this.client.run(() -> {
					this.inFlight.remove(sent);
					sent.answer.complete(vote);
				});
			}
		});
	}

	private long arrival() {
		boolean slow = this.plan.has(Fault.SLOW) && this.world.chance(0.05);
		long delay = slow ? this.world.micros(1_000, 100_000) : this.world.micros(50, 1_500);
		return Math.max(this.world.nowNanos() + delay, this.cutUntilNanos);
	}

	private static final class Sent {

		private final Function<InMemoryNode, Vote> operation;

		private final CompletableFuture<Vote> answer = new CompletableFuture<>();

		private int number;

		private boolean killed;

		private Sent(Function<InMemoryNode, Vote> operation) {
			this.operation = operation;
		}

	}

}
