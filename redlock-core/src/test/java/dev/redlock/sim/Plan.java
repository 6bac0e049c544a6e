package dev.redlock.sim;

import java.util.Set;

/**
 * What may go wrong in a run, and which promises are expected to hold all the same.
 *
 * @param name the name of the plan
 * @param nodes how many servers vote
 * @param faults what may go wrong
 * @param maySplit whether the faults break an assumption of mutual exclusion
 * @param mayRepeat whether the faults break an assumption of the fences
 * @param weakness what is wrong with the lock itself
 */
record Plan(String name, int nodes, Set<Fault> faults, boolean maySplit, boolean mayRepeat, Weakness weakness) {

	private static final Set<Fault> ANSWERED_IN_TIME = Set.of(Fault.SKEW, Fault.IMPATIENCE, Fault.HURRY,
			Fault.BAD_HINTS, Fault.COUNTERS_AHEAD, Fault.WAITING, Fault.TOGETHER, Fault.SEVERAL_NAMES, Fault.CROWD,
			Fault.FICKLE, Fault.LONG_CLAIMS, Fault.POLICY, Fault.KEY_DELETED);

	static Plan of(String name, int nodes, Fault... faults) {
		return new Plan(name, nodes, Set.of(faults), false, false, Weakness.NONE);
	}

	Plan outsideAssumptions() {
		return new Plan(this.name, this.nodes, this.faults, true, this.mayRepeat, this.weakness);
	}

	Plan weakenedBy(Weakness weak) {
		return new Plan(this.name, this.nodes, this.faults, this.maySplit, this.mayRepeat, weak);
	}

	/**
	 * How many owners a name may have.
	 */
	int permits() {
		return has(Fault.PERMITS) ? 2 : 1;
	}

	/**
	 * How many times as long everything takes as in other plans.
	 */
	int scale() {
		return (has(Fault.SLEEP) || has(Fault.WAKE)) ? 10 : has(Fault.FAR_CLAIMS) ? 5 : 1;
	}

	/**
	 * Whether nodes may answer after the node timeout, so that votes may be split for
	 * long.
	 */
	boolean mayAnswerLate() {
		return has(Fault.SLOW) || has(Fault.CUT) || has(Fault.FREEZE) || has(Fault.LATE_ANSWERS);
	}

	/**
	 * Whether no fault keeps a command, an answer or a process from its way.
	 */
	boolean answersInTime() {
		return ANSWERED_IN_TIME.containsAll(this.faults);
	}

	boolean has(Fault fault) {
		return this.faults.contains(fault);
	}

	/** What may go wrong around the lock. */
	enum Fault {

		PAUSE, SUSPEND, CRASH, SLOW, BREAK, CUT, FREEZE, RESTART_KEEPING, RESTART_EMPTY, SKEW, CLIENT_STEP, NODE_STEP,
		EVICTION,

		/** The lock of a client is closed, and opened again after a while. */
		RESTART_OF_LOCK,

		/** Locks last for seconds, and machines are suspended for seconds. */
		SLEEP,

		/**
		 * Processes stand still for longer than their requests wait and their locks last,
		 * with or without their clocks.
		 */
		WAKE,

		/**
		 * Virtual machines are paused from outside, and both of their clocks with them.
		 */
		STANDSTILL,

		/** A server loses all its data while it runs on. */
		FLUSH,

		/** The clock of a server steps by so much that each client notices. */
		NODE_LEAP,

		/**
		 * The clocks of all servers gain in small steps, each at moments of its own, and
		 * not all by the same.
		 */
		NODE_CREEP,

		/** The clocks of all servers step at one moment, each by another amount. */
		NODE_LEAPS_APART,

		/** The clocks of all servers step at one moment by the same amount. */
		NODE_LEAPS_ALIKE,

		/**
		 * The clock of a server goes so far ahead that everything with a ttl ends, and
		 * back.
		 */
		FAR_LEAP,

		/** A server that runs is set to evict, and does so later. */
		POLICY,

		/** A restarted server writes to its disk in another way than before. */
		RECONFIGURED,

		/**
		 * Every server is declared to keep each write that it has answered, and what
		 * takes its place after a restart has another clock.
		 */
		DECLARED,

		/** The nodes' times in the replies are wrong, and so are the proposed fences. */
		BAD_HINTS,

		/** Counters are so far ahead of the clocks that fences only count up. */
		COUNTERS_AHEAD,

		/** Keys vanish just when a counter is to be raised. */
		LOST_BEFORE_RAISE,

		/** Nobody holds a lock for long or waits before asking again. */
		HURRY,

		/** Who waits for a lock asks again all the time. */
		IMPATIENCE,

		/** Each request is for a tick of a job, which runs once or is taken over. */
		JOBS,

		/**
		 * Requests wait for long, several in each process, and announcements arrive: a
		 * lock that is free must be asked for soon.
		 */
		WAITING,

		/** All processes ask for one lock at the same moments, and rest in between. */
		TOGETHER,

		/** They ask for one of two locks at these moments, and often for both. */
		SEVERAL_NAMES,

		/** One server is down all the time. */
		ONE_DOWN,

		/**
		 * All processes lose their subscriptions to releases for a while. If one of them
		 * did not, it would ask in the place of those that sleep.
		 */
		UNSUBSCRIBED,

		/** Some processes may not announce their releases. */
		SILENT,

		/** All answers to a client come after the node timeout for a while. */
		LATE_ANSWERS,

		/** Each name has two permits. */
		PERMITS,

		/** No release of a client arrives for a while. */
		LOST_RELEASES,

		/** Announcements get lost, so a waiter may sleep to the end of a claim. */
		LOST_NEWS,

		/** Many requests wait in each process, and many of them end together. */
		CROWD,

		/**
		 * Claims last for long, so it shows if a waiter sleeps to the end of one that was
		 * released.
		 */
		LONG_CLAIMS,

		/**
		 * Claims last for far longer than the wait for a release, and most announcements
		 * get lost: only the bound of that wait makes a waiter ask.
		 */
		FAR_CLAIMS,

		/** Callers give up, often at the moment of a grant. */
		FICKLE,

		/** A key is deleted by hand, on all servers. */
		KEY_DELETED,

		/** Requests ask different nodes, so that they do not exclude each other. */
		SOME_NODES,

		/**
		 * Many leases are detached, and their tickets are used by any client, late, or
		 * twice.
		 */
		TICKETS

	}

	/** What may be wrong with the lock: each has to be found. */
	enum Weakness {

		NONE,

		/** Jobs take the lock and mark no tick. */
		PLAIN_LOCK,

		/** The answer to a mark is not looked at. */
		UNCHECKED_TICK,

		/** A node that lost its data votes on ticks from before the loss. */
		FORGOTTEN_TICKS,

		/** The maximum over the grants is the fence; no counter is raised. */
		NO_RAISE,

		/** Counters are raised whoever holds the key. */
		UNOWNED_RAISE,

		/** The validity counts from the verdict, not from before the first command. */
		LATE_START,

		/** Validity is measured by the wall clock. */
		WALL_CLOCK,

		/** Validity is measured by the monotonic clock alone. */
		MONOTONIC_CLOCK,

		/** A restarted empty node votes at once. */
		NO_QUARANTINE,

		/**
		 * Commands in flight are sent again on the next connection, to any incarnation.
		 */
		REPLAY,

		/** The marker of the data is not looked at. */
		NO_MARKER,

		/** Steps of the nodes' clocks are not looked for. */
		NO_CLOCK_WATCH,

		/** A step that a single server shows is taken for a pause of the client. */
		STEP_BELIEVED,

		/** Steps of all servers are taken for a pause, whatever their amounts are. */
		AMOUNTS_NOT_COMPARED,

		/** A pause that is noticed shortens no lease. */
		PAUSE_NOT_COUNTED,

		/** Each answer is compared with the one before it alone. */
		REBASED,

		/** What a clock may gain without being noticed is not taken off the validity. */
		STEP_NOT_COUNTED,

		/** The marker of the data has no ttl. */
		ETERNAL_MARKER,

		/** Counters that are ahead of the clock are kept no longer than others. */
		LEAD_NOT_KEPT,

		/** A server that votes is not looked at again. */
		NO_LOOK,

		/** A life that writes everything to disk speaks for the one before it. */
		NEW_LIFE_VOUCHES,

		/** A client does not heed what other clients have seen of a server meanwhile. */
		OWN_WORD,

		/**
		 * A restarted server knows the scripts of the former one, and the client does not
		 * see that it was restarted.
		 */
		SCRIPTS_OUTLIVE,

		/** The declaration is false: a server keeps its marker and loses its locks. */
		FALSE_DECLARATION,

		/** A client that has just started believes in every server. */
		NO_AGE,

		/** After a suspension, timers are late by seconds. */
		LATE_AFTER_SLEEP,

		/** Nodes are told the ttl alone, and not the lock delay. */
		NO_DELAY,

		/** A shutdown deletes the keys of work that still runs. */
		DELETED_UNDER_WORK,

		/** Nothing is taken off the ttl for drift. */
		NO_DRIFT,

		/** Half of the nodes are enough. */
		HALF_QUORUM,

		/** Every try uses the same token. */
		ONE_TOKEN,

		/** An extension writes a missing key again, and counts. */
		RESTORED_LATE,

		/** The clients know different nodes. */
		TWO_LISTS,

		/** Counters are forgotten sooner than the clocks differ. */
		SHORT_RETENTION,

		/**
		 * The first refusal of a try stands for all later votes, so the owner of a single
		 * node looks like a holder.
		 */
		LOSERS_WAITED_FOR,

		/** A subscription that was lost is believed to tell of releases. */
		LOSS_UNNOTICED,

		/** A process that may not announce its releases does not say so. */
		SILENCE_NOT_TOLD,

		/** The release of a try that has no lease is never announced. */
		FAILURE_NOT_TOLD,

		/** A try that has no lease keeps what it got. */
		FAILURES_KEPT,

		/** Some timers never run. */
		TIMERS_LOST,

		/** No round times out, and some answers never come. */
		NO_NODE_TIMEOUT,

		/** Claims seem to last for hours, so nobody asks when one has ended. */
		ENDLESS_CLAIMS,

		/** No announced release is heard. */
		RELEASES_UNHEARD,

		/** A request waits for an announcement until the claim in its way ends. */
		ENDLESS_WAIT,

		/**
		 * There are no slots: each node counts owners, and who is counted by a majority
		 * has a permit.
		 */
		COUNTED_PERMITS,

		/** A succession takes keys that others hold. */
		KEY_NOT_COMPARED,

		/** A ticket takes keys that are free. */
		FREE_KEY_TAKEN,

		/** A ticket takes keys whose counter has moved on. */
		COUNTER_NOT_COMPARED,

		/** A succession leaves the token of the predecessor. */
		TOKEN_KEPT,

		/** A successor has the fence of its predecessor. */
		FENCE_KEPT,

		/** The votes of two tries with one ticket are added up. */
		TRIES_ADDED,

		/** A refused hand-over leaves the keys of the predecessor. */
		REFUSED_HAND_OVER_KEPT,

		/**
		 * A predecessor is not released where a node neither granted nor refused its
		 * successor.
		 */
		HANDED_OVER_BLINDLY,

		/** A request takes over the lease that its process has lost. */
		LAPSED_HANDED_OVER,

		/** A process believes in a lease that it has detached. */
		DETACHED_BELIEVED,

		/** A process extends a lease that it has detached. */
		DETACHED_EXTENDED

	}

}
