package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.sim.Event.Kind;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;

/**
 * One small story of two clients and three nodes, told in every order in which its events
 * can happen. The production lock runs in it; time stands still.
 * <p>
 * Two events that touch different parties can swap without a difference, so of all the
 * orders that only differ by such swaps one is enough (sleep sets).
 */
final class SmallScope {

	private static final String KEY = "x";

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
	 */
	record Scene(long[] counters, long[] clocks, boolean letGo, boolean mayLoseAKey, Weakness weakness) {

	}

	/** The parties, after some events. */
	private static final class Stage {

		private final Scene scene;

		private final List<InMemoryNode> nodes = new ArrayList<>();

		private final List<Party> parties = new ArrayList<>();

		private final Set<String> violations = new TreeSet<>();

		private final Set<Long> fences = new TreeSet<>();

		private boolean keyLost;

		private Stage(Scene scene) {
			this.scene = scene;
			for (int i = 0; i < scene.counters().length; i++) {
				this.nodes.add(new InMemoryNode("n" + i, timeAt(0)));
				Claim former = new Claim(List.of(KEY), "former", Duration.ofSeconds(1));
				this.nodes.get(i).acquire(former, scene.counters()[i]);
				this.nodes.get(i).release(former, Duration.ZERO);
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
					if (!this.nodes.get(i).tokens().isEmpty()) {
						events.add(new Event(Kind.LOSE_KEY, -1, i));
					}
				}
			}
			return events;
		}

		private void happen(Event event) {
			switch (event.kind()) {
				case ASK -> this.parties.get(event.client()).ask();
				case ARRIVE -> this.parties.get(event.client()).links.get(event.node()).arrive();
				case REPLY -> this.parties.get(event.client()).links.get(event.node()).reply();
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
			if (!this.fences.add(lease.fence())) {
				this.violations.add(Checker.UNIQUE_FENCES);
			}
			if (lease.fence() <= floor) {
				this.violations.add(Checker.ORDERED_FENCES);
			}
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

		private boolean asked;

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
			if (!this.asked) {
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

		private void ask() {
			this.asked = true;
			long floor = this.stage.highest();
			this.redlock.attempt(LockRequest.of(KEY).withWaitFor(Duration.ZERO))
				.thenAccept((attempt) -> attempt.lease().ifPresent((won) -> {
					this.stage.won(won, floor);
					this.lease = won;
				}));
		}

		private void letGo() {
			this.lease.releaseAsync();
			this.lease = null;
		}

		private static RedlockSettings settings() {
			return RedlockSettings.builder()
				.keyPrefix("")
				.maxTtl(Duration.ofDays(365))
				.shutdownTimeout(Duration.ZERO)
				.build();
		}

	}

}
