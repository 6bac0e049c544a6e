package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;

/**
 * What one client has of one server: a connection that keeps order, breaks and comes
 * back, and the guard that lets no node vote that may have forgotten.
 */
final class SimLink implements LockNode {

	private static final Duration GUARD_MARGIN = Duration.ofMillis(500);

	private final World world;

	private final SimProcess client;

	final SimServer server;

	private final Checker checker;

	private final Plan plan;

	private final Duration maxTtl;

	private final Map<Integer, Long> firstSeenNanos = new HashMap<>();

	private final List<Sent> inFlight = new ArrayList<>();

	private boolean connected;

	private int connection;

	private int boundTo;

	private int lastReady;

	private long quarantinedUntilNanos = Long.MIN_VALUE;

	private long lastArrivalNanos;

	private long lastReplyNanos;

	private long cutUntilNanos;

	SimLink(World world, Checker checker, SimProcess client, SimServer server, Plan plan, Duration maxTtl) {
		this.checker = checker;
		this.world = world;
		this.client = client;
		this.server = server;
		this.plan = plan;
		this.maxTtl = maxTtl;
		this.connected = true;
		this.boundTo = server.incarnation();
		this.lastReady = this.boundTo;
	}

	@Override
	public String name() {
		return this.server.name;
	}

	@Override
	public NodeStatus status() {
		return isReady() ? NodeStatus.READY : NodeStatus.of(State.UNAVAILABLE, "");
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return send(true, (data) -> written(claim, Weakened.acquire(this.plan.weakness(), data, claim, fence)));
	}

	@Override
	public CompletionStage<Vote> raise(Claim claim, long fence) {
		return send(true, (data) -> {
			if (this.plan.has(Fault.LOST_BEFORE_RAISE) && this.world.chance(0.2)) {
				this.server.evict();
			}
			return Weakened.raise(this.plan.weakness(), data, claim, fence);
		});
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return send(true, (data) -> written(claim, Weakened.extend(this.plan.weakness(), data, claim, fence)));
	}

	@Override
	public CompletionStage<Vote> plant(Claim claim, long fence) {
		return send(true, (data) -> written(claim, data.plant(claim, fence).toCompletableFuture().join()));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		return send(false, (data) -> data.release(claim, keep, announce).toCompletableFuture().join());
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return send(false, (data) -> data.inspect(key).toCompletableFuture().join());
	}

	/**
	 * Holds back what travels either way for a while.
	 */
	void cut(long nanos) {
		this.world.note(this.client.name, "cut off from " + this.server.name, nanos);
		this.cutUntilNanos = this.world.nowNanos() + nanos;
	}

	/**
	 * Breaks the connection. What is in flight may still arrive.
	 */
	void breakOff(boolean serverDied) {
		if (!this.connected) {
			return;
		}
		this.world.note(this.client.name, "lost its connection to " + this.server.name, 0);
		this.connected = false;
		this.connection++;
		List<Sent> lost = new ArrayList<>(this.inFlight);
		if (serverDied) {
			lost.forEach((sent) -> sent.killed = true);
		}
		if (this.plan.weakness() != Weakness.REPLAY) {
			this.client.run(() -> lost
				.forEach((sent) -> sent.answer.complete(new Faulted(Vote.Fault.UNAVAILABLE, "connection lost", true))));
		}
		this.world.after(this.world.micros(1_000, 50_000), this::reconnect);
	}

	private Vote written(Claim claim, Vote vote) {
		if (vote instanceof Vote.Granted) {
			this.checker.written(claim.token(), this.server);
		}
		return vote;
	}

	private CompletionStage<Vote> send(boolean bound, Function<InMemoryNode, Vote> operation) {
		if (!this.connected || (bound && !isReady())) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.UNAVAILABLE, "not ready", false));
		}
		Sent sent = new Sent(bound ? this.boundTo : 0, operation);
		transmit(sent);
		return sent.answer;
	}

	private void transmit(Sent sent) {
		sent.connection = this.connection;
		this.inFlight.add(sent);
		this.lastArrivalNanos = Math.max(this.lastArrivalNanos, arrival());
		this.world.after(this.lastArrivalNanos - this.world.nowNanos(), () -> arrive(sent));
	}

	private void arrive(Sent sent) {
		if (!sent.killed) {
			this.server.execute((data) -> runBound(sent, data), (vote) -> reply(sent, vote));
		}
	}

	private Vote runBound(Sent sent, InMemoryNode data) {
		if (sent.killed) {
			return new Faulted(Vote.Fault.UNAVAILABLE, "connection killed", false);
		}
		boolean anotherIncarnation = sent.incarnation != 0 && sent.incarnation != this.server.incarnation();
		if (anotherIncarnation && this.plan.weakness() != Weakness.REPLAY) {
			return new Faulted(Vote.Fault.STALE, "another incarnation", false);
		}
		return sent.operation.apply(data);
	}

	private void reply(Sent sent, Vote honest) {
		Vote vote = this.plan.has(Fault.BAD_HINTS) ? misleading(honest) : honest;
		this.lastReplyNanos = Math.max(this.lastReplyNanos, arrival());
		this.world.after(this.lastReplyNanos - this.world.nowNanos(), () -> {
			if (sent.connection == this.connection) {
				this.client.run(() -> {
					this.inFlight.remove(sent);
					sent.answer.complete(vote);
				});
				if (vote instanceof Faulted faulted && faulted.fault() == Vote.Fault.STALE) {
					breakOff(false);
				}
			}
		});
	}

	private Vote misleading(Vote vote) {
		if (vote instanceof Vote.Granted granted && granted.nodeMicros() != 0) {
			return new Vote.Granted(granted.fence(), granted.nodeMicros() + this.client.misledByMicros);
		}
		return vote;
	}

	private long arrival() {
		boolean slow = this.plan.has(Fault.SLOW) && this.world.chance(0.05);
		long delay = slow ? this.world.micros(1_000, 100_000) : this.world.micros(50, 1_500);
		return Math.max(this.world.nowNanos() + delay, this.cutUntilNanos);
	}

	/**
	 * Says hello on a new connection. The server first ends the old one: what is still in
	 * flight there can no longer arrive.
	 */
	private void reconnect() {
		if (this.client.hasEnded()) {
			return;
		}
		if (!this.server.isUp()) {
			this.world.after(this.world.micros(10_000, 100_000), this::reconnect);
			return;
		}
		boolean[] greeted = new boolean[1];
		this.world.after(arrival() - this.world.nowNanos(), () -> this.server.execute((data) -> {
			List.copyOf(this.inFlight).forEach((sent) -> sent.killed = true);
			return Vote.Granted.PLAIN;
		}, (vote) -> {
			greeted[0] = true;
			int incarnation = this.server.incarnation();
			long uptimeMicros = this.server.uptimeMicros();
			this.world.after(arrival() - this.world.nowNanos(),
					() -> this.client.run(() -> onHello(incarnation, uptimeMicros)));
		}));
		this.world.after(this.world.micros(400_000, 500_000), () -> {
			if (!greeted[0]) {
				reconnect();
			}
		});
	}

	private void onHello(int incarnation, long uptimeMicros) {
		if (this.connected) {
			return;
		}
		this.connected = true;
		this.connection++;
		this.boundTo = incarnation;
		this.lastArrivalNanos = 0;
		this.lastReplyNanos = 0;
		long now = this.client.clock.nanoTime();
		long firstSeen = this.firstSeenNanos.computeIfAbsent(incarnation, (unseen) -> now);
		boolean old = uptimeMicros * 1_000 > this.maxTtl.plus(GUARD_MARGIN).toNanos();
		boolean trusted = incarnation == this.lastReady || old || this.plan.weakness() == Weakness.NO_QUARANTINE
				|| this.plan.weakness() == Weakness.REPLAY || !this.plan.has(Fault.RESTART_EMPTY);
		long quarantine = (long) (this.maxTtl.toNanos() * 1.01) + GUARD_MARGIN.toNanos();
		this.quarantinedUntilNanos = trusted ? Long.MIN_VALUE : firstSeen + quarantine;
		List<Sent> unanswered = new ArrayList<>(this.inFlight);
		this.inFlight.clear();
		if (this.plan.weakness() == Weakness.REPLAY) {
			unanswered.forEach((sent) -> {
				sent.killed = false;
				transmit(sent);
			});
		}
	}

	private boolean isReady() {
		boolean ready = this.connected && (this.quarantinedUntilNanos == Long.MIN_VALUE
				|| this.client.clock.nanoTime() - this.quarantinedUntilNanos >= 0);
		if (ready) {
			this.lastReady = this.boundTo;
		}
		return ready;
	}

	private static final class Sent {

		private final int incarnation;

		private final Function<InMemoryNode, Vote> operation;

		private final CompletableFuture<Vote> answer = new CompletableFuture<>();

		private int connection;

		private boolean killed;

		private Sent(int incarnation, Function<InMemoryNode, Vote> operation) {
			this.incarnation = incarnation;
			this.operation = operation;
		}

	}

}
