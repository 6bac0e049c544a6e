package dev.redlock.sim;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.sim.Plan.Fault;

/**
 * Watches for a lock that is free while somebody waits for it and nobody asks, or nobody
 * gets it.
 */
final class SimIdleness {

	/**
	 * More than any pause beside a free lock: a retry delay, the time for which a process
	 * yields to others, or the time until it sees that its subscription was lost. Less
	 * than the ttl, to the end of which a waiter must not sleep.
	 */
	static final Duration LONGEST = Duration.ofMillis(280);

	/** What is promised where announcements get lost. */
	private static final Duration LONGEST_WAIT_FOR_RELEASE = Duration.ofSeconds(5);

	private static final long PERIOD_NANOS = 5_000_000;

	private final World world;

	/**
	 * More than a lock may stay without an owner: to the end of a claim that nobody
	 * releases, and then for a contest.
	 */
	static final Duration LONGEST_CONTEST = Duration.ofMillis(1_200);

	private final Checker checker;

	private final List<SimClient> clients;

	private final Duration longest;

	private final Duration longestContest;

	private final Map<String, Long> idleSince = new HashMap<>();

	private final Map<String, Long> freeSince = new HashMap<>();

	private boolean over;

	SimIdleness(World world, Plan plan, Checker checker, List<SimClient> clients, Duration maxTtl) {
		this.world = world;
		this.checker = checker;
		this.clients = clients;
		// Without announcements, a waiter sleeps to the end of the claim in its way.
		this.longest = plan.has(Fault.LOST_NEWS) ? LONGEST.plus(maxTtl)
				: plan.has(Fault.FAR_CLAIMS) ? LONGEST.plus(LONGEST_WAIT_FOR_RELEASE) : LONGEST;
		// Tries that wait for late answers may split the votes for long. A claim of a
		// process that crashed lasts for its ttl.
		this.longestContest = plan.mayAnswerLate() ? Duration.ofDays(1)
				: plan.has(Fault.FAR_CLAIMS) ? LONGEST_CONTEST.plus(maxTtl) : LONGEST_CONTEST;
	}

	void start() {
		this.world.after(PERIOD_NANOS, this::look);
	}

	void stop() {
		this.over = true;
	}

	/**
	 * Notes that somebody asks for a lock.
	 */
	void asked(List<String> keys) {
		keys.forEach((key) -> this.idleSince.put(key.split("#")[0], this.world.nowNanos()));
	}

	private void look() {
		if (this.over) {
			return;
		}
		for (String resource : SimClient.RESOURCES) {
			boolean wanted = this.clients.stream().anyMatch((client) -> client.couldHave(resource));
			if (hasLasted(wanted, this.idleSince, resource, this.longest)) {
				this.world.violated(Checker.SOMEBODY_ASKS, resource + " is free, and nobody asks");
			}
			boolean free = !this.checker.isHeld(resource)
					&& this.clients.stream().anyMatch((client) -> client.waitsFor(resource));
			if (hasLasted(free, this.freeSince, resource, this.longestContest)) {
				this.world.violated(Checker.SOMEBODY_GETS_IT, resource + " is free, and nobody gets it");
			}
		}
		start();
	}

	/**
	 * Whether a state has lasted for too long. Then it counts anew.
	 */
	private boolean hasLasted(boolean state, Map<String, Long> since, String resource, Duration most) {
		long now = this.world.nowNanos();
		if (!state) {
			since.remove(resource);
			return false;
		}
		boolean lasted = now - since.computeIfAbsent(resource, (absent) -> now) > most.toNanos();
		if (lasted) {
			since.put(resource, now);
		}
		return lasted;
	}

}
