package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.internal.client.Internals;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.sim.Event.Kind;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;

import static dev.redlock.Completed.completed;

/**
 * One small story of two clients and three nodes, told in every order in which its events
 * can happen. The production lock runs in it; time stands still.
 * <p>
 * Two events that touch different parties can swap without a difference, so of all the
 * orders that only differ by such swaps one is enough (sleep sets).
 */
final class SmallScope {

	private static final String KEY = "x";

	private static final long DETACHED_FENCE = 20;

	private static final Claim DETACHED = new Claim(List.of(KEY), "detached", Duration.ofSeconds(1));

	private static final String TICKET = new Ticket(List.of(KEY), List.of("n0", "n1", "n2"), "", DETACHED.token(),
			DETACHED_FENCE, DETACHED.ttl())
		.text();

	private final Scene scene;

	private final Set<String> violations = new TreeSet<>();

	private final List<List<Event>> witnesses = new ArrayList<>();

	private long stories;

	SmallScope(Scene scene) {
		this.scene = scene;
	}

	/**
	 * Tells all stories.
	 */
	SmallScope explore() {
		explore(new Stage(this.scene), List.of(), Set.of());
		return this;
	}

	Set<String> violations() {
		return this.violations;
	}

	long stories() {
		return this.stories;
	}

	List<List<Event>> witnesses() {
		return this.witnesses;
	}

	/**
	 * Goes on from a stage in every way that is possible. Of the ways, the first uses the
	 * stage itself; for the others the past is played again.
	 */
	private void explore(Stage stage, List<Event> past, Set<Event> asleep) {
		if (!stage.violations.isEmpty()) {
			this.violations.addAll(stage.violations);
			this.witnesses.add(past);
			return;
		}
		if (this.scene.weakness() != Weakness.NONE && !this.violations.isEmpty()) {
			// One witness is enough to know that a weakness shows.
			return;
		}
		List<Event> possible = stage.possible();
		if (possible.isEmpty()) {
			this.stories++;
			if (this.scene.handOver() && stage.hasOrphans()) {
				this.violations.add(Checker.NO_ORPHANS);
				this.witnesses.add(past);
			}
		}
		Set<Event> sleeping = new HashSet<>(asleep);
		Stage current = stage;
		for (Event event : possible) {
			if (!sleeping.contains(event)) {
				Set<Event> stillAsleep = new HashSet<>(sleeping);
				stillAsleep.removeIf((other) -> other.touchesTheSameAs(event));
				List<Event> next = new ArrayList<>(past);
				next.add(event);
				Stage branch = (current != null) ? current : replay(past);
				current = null;
				branch.happen(event);
				explore(branch, next, stillAsleep);
				sleeping.add(event);
			}
		}
	}

	private Stage replay(List<Event> past) {
		Stage stage = new Stage(this.scene);
		past.forEach(stage::happen);
		return stage;
	}

	private static ManualTime timeAt(long micros) {
		ManualTime time = new ManualTime();
		time.stepWallClock(Duration.ofNanos((micros - time.epochMicros()) * 1_000));
		return time;
	}

	/**
	 * What the story starts with.
	 *
	 * @param counters the counters of the nodes at the start
	 * @param clocks what the clients take the time to be, and so the fences they propose
	 * @param letGo whether a client lets go of what it has
	 * @param mayLoseAKey whether one node may lose its key at some moment
	 * @param weakness what is wrong with the lock
	 * @param ticket whether the clients use the ticket of a lease that was detached. If
	 * there is a single client, a rival may come and go at some moment, and the command
	 * that acquired the detached lease is still under way to the last node
	 * @param handOver whether a second request of the first client waits for its lease
	 */
	record Scene(long[] counters, long[] clocks, boolean letGo, boolean mayLoseAKey, Weakness weakness, boolean ticket,
			boolean handOver) {

		Scene(long[] counters, long[] clocks, boolean letGo, boolean mayLoseAKey, Weakness weakness) {
			this(counters, clocks, letGo, mayLoseAKey, weakness, false, false);
		}

		boolean alone() {
			return this.ticket && this.clocks.length == 1;
		}

	}

	/** The parties, after some events. */
	private static final class Stage {

		private final Scene scene;

		private final List<InMemoryNode> nodes = new ArrayList<>();

		private final List<Party> parties = new ArrayList<>();

		private final Set<String> violations = new TreeSet<>();

		private final Set<Long> fences = new TreeSet<>();

		private boolean keyLost;

		private boolean rivalCame;

		private boolean rivalHeld;

		private boolean late;

		private Stage(Scene scene) {
			this.scene = scene;
			for (int i = 0; i < scene.counters().length; i++) {
				this.nodes.add(new InMemoryNode("n" + i, timeAt(0)));
				Claim former = new Claim(List.of(KEY), "former", Duration.ofSeconds(1));
				this.nodes.get(i).acquire(former, scene.counters()[i]);
				this.nodes.get(i).release(former, Duration.ZERO);
			}
			if (scene.ticket()) {
				int early = scene.alone() ? this.nodes.size() - 1 : this.nodes.size();
				this.nodes.subList(0, early).forEach((node) -> node.acquire(DETACHED, DETACHED_FENCE));
			}
			for (int i = 0; i < scene.clocks().length; i++) {
				this.parties.add(new Party(this, i, scene.clocks()[i]));
			}
		}

		private List<Event> possible() {
			List<Event> events = new ArrayList<>();
			for (Party party : this.parties) {
				party.addPossible(events);
			}
			if (this.scene.mayLoseAKey() && !this.keyLost) {
				for (int i = 0; i < this.nodes.size(); i++) {
					if (mayLose(this.nodes.get(i).tokens())) {
						events.add(new Event(Kind.LOSE_KEY, -1, i));
					}
				}
			}
			if (this.scene.alone() && !this.rivalCame) {
				events.add(new Event(Kind.RIVAL, -1, -1));
			}
			if (this.scene.alone() && !this.late) {
				events.add(new Event(Kind.LATE, -1, this.nodes.size() - 1));
			}
			return events;
		}

		/**
		 * With a ticket, only keys of the detached lease get lost.
		 */
		private boolean mayLose(Map<String, String> tokens) {
			return this.scene.ticket() ? tokens.containsValue(DETACHED.token()) : !tokens.isEmpty();
		}

		/**
		 * Another client asks all nodes, and lets go of what it gets.
		 */
		private void rival() {
			this.rivalCame = true;
			Claim claim = new Claim(List.of(KEY), "rival", Duration.ofSeconds(1));
			List<InMemoryNode> granted = this.nodes.stream()
				.filter((node) -> completed(node.acquire(claim, DETACHED_FENCE + 1)) instanceof Vote.Granted)
				.toList();
			this.rivalHeld = granted.size() > this.nodes.size() / 2;
			this.nodes.forEach((node) -> node.release(claim, Duration.ZERO));
		}

		private void happen(Event event) {
			switch (event.kind()) {
				case ASK -> this.parties.get(event.client()).ask();
				case ARRIVE -> this.parties.get(event.client()).links.get(event.node()).arrive();
				case REPLY -> this.parties.get(event.client()).links.get(event.node()).reply();
				case RIVAL -> rival();
				case LATE -> {
					this.late = true;
					this.nodes.get(event.node()).acquire(DETACHED, DETACHED_FENCE);
				}
				case LET_GO -> this.parties.get(event.client()).letGo();
				case LOSE_KEY -> {
					this.keyLost = true;
					InMemoryNode node = this.nodes.get(event.node());
					node.tokens()
						.forEach((key, token) -> node.release(new Claim(List.of(key), token, Duration.ofSeconds(1)),
								Duration.ZERO, true));
				}
			}
		}

		private void won(Lease lease, long floor) {
			boolean other = this.parties.stream().anyMatch((party) -> party.lease != null);
			if (other && !this.keyLost) {
				this.violations.add(Checker.MUTUAL_EXCLUSION);
			}
			if (this.scene.ticket() && this.rivalHeld) {
				this.violations.add(Checker.NOBODY_BETWEEN);
			}
			if (this.scene.ticket() && lease.fence() <= DETACHED_FENCE) {
				this.violations.add(Checker.ORDERED_FENCES);
			}
			if (!this.fences.add(lease.fence())) {
				this.violations.add(Checker.UNIQUE_FENCES);
			}
			if (lease.fence() <= floor) {
				this.violations.add(Checker.ORDERED_FENCES);
			}
		}

		/**
		 * Whether a node still holds what nobody has, when all has arrived.
		 */
		private boolean hasOrphans() {
			Set<String> held = this.parties.stream()
				.filter((party) -> party.lease != null)
				.map((party) -> Internals.token(party.lease))
				.collect(Collectors.toSet());
			return this.nodes.stream().anyMatch((node) -> !held.containsAll(node.tokens().values()));
		}

		private long highest() {
			return this.fences.stream().mapToLong(Long::longValue).max().orElse(0);
		}

	}

	/** A client that asks once and lets go. */
	private static final class Party {

		private final Stage stage;

		private final int index;

		private final List<Wire> links = new ArrayList<>();

		private final Redlock redlock;

		private int asked;

		private boolean asking;

		private Lease lease;

		private Party(Stage stage, int index, long clockMicros) {
			this.stage = stage;
			this.index = index;
			stage.nodes.forEach((node) -> this.links.add(new Wire(node, stage.scene.weakness())));
			ManualTime time = timeAt(clockMicros);
			this.redlock = Redlock.over(this.links)
				.settings(settings())
				.ticker(time)
				.loop(time)
				.random(new SplittableRandom(index))
				.callbacks(Runnable::run)
				.build();
		}

		private void addPossible(List<Event> events) {
			int most = (queues() || this.stage.scene.weakness() == Weakness.TRIES_ADDED) ? 2 : 1;
			boolean second = this.asked == 1 && queues();
			if (this.asked < most && !this.asking && (second == (this.lease != null))) {
				events.add(new Event(Kind.ASK, this.index, -1));
			}
			if (this.lease != null && this.stage.scene.letGo()) {
				events.add(new Event(Kind.LET_GO, this.index, -1));
			}
			for (int i = 0; i < this.links.size(); i++) {
				if (this.links.get(i).hasRequests()) {
					events.add(new Event(Kind.ARRIVE, this.index, i));
				}
				if (this.links.get(i).hasReplies()) {
					events.add(new Event(Kind.REPLY, this.index, i));
				}
			}
		}

		/** Whether its second request waits until its first lease is released. */
		private boolean queues() {
			return this.index == 0 && this.stage.scene.handOver();
		}

		private void ask() {
			this.asked++;
			this.asking = true;
			long floor = this.stage.highest();
			LockRequest request = this.stage.scene.ticket() ? LockRequest.succeeding(TICKET)
					: LockRequest.of(KEY).withWaitFor((this.asked == 2) ? Duration.ofHours(1) : Duration.ZERO);
			this.redlock.attempt(request).thenAccept((attempt) -> {
				this.asking = false;
				attempt.lease().ifPresent((won) -> {
					this.stage.won(won, floor);
					this.lease = won;
				});
			});
		}

		private void letGo() {
			Lease released = this.lease;
			this.lease = null;
			released.releaseAsync();
		}

		private static RedlockSettings settings() {
			return RedlockSettings.builder()
				.keyPrefix("")
				.maxTtl(Duration.ofDays(365))
				.shutdownTimeout(Duration.ZERO)
				.releaseRunning(true)
				.build();
		}

	}

}
