package dev.redlock.sim;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;

/**
 * The plans that every build runs.
 */
final class Plans {

	static final Plan WAKING = Plan.of("processes that wake up", 3, Fault.WAKE).outsideAssumptions();

	static final Plan EVERYTHING = Plan.of("everything at once", 5, Fault.PAUSE, Fault.SUSPEND, Fault.CRASH, Fault.SLOW,
			Fault.BREAK, Fault.CUT, Fault.FREEZE, Fault.RESTART_KEEPING, Fault.RESTART_EMPTY, Fault.FLUSH, Fault.SKEW);

	private static final Set<Fault> WAITING_THROUGH = EnumSet.copyOf(EVERYTHING.faults());

	static {
		WAITING_THROUGH.addAll(
				List.of(Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.LOST_NEWS, Fault.UNSUBSCRIBED, Fault.POLICY));
	}

	static final List<Plan> HONEST = List.of(Plan.of("calm", 5), Plan.of("calm, one node", 1),
			Plan.of("calm, two nodes", 2), Plan.of("slow network", 5, Fault.SLOW, Fault.CUT),
			Plan.of("broken connections", 5, Fault.SLOW, Fault.BREAK, Fault.CUT),
			Plan.of("pauses and crashes", 5, Fault.PAUSE, Fault.CRASH, Fault.SLOW),
			Plan.of("locks that are closed and opened", 3, Fault.RESTART_OF_LOCK, Fault.SLOW, Fault.CUT, Fault.PAUSE),
			Plan.of("suspended machines", 3, Fault.SUSPEND, Fault.SKEW),
			Plan.of("machines that sleep for long", 3, Fault.SLEEP, Fault.SKEW),
			Plan.of("suspended machines, leaping clocks", 5, Fault.SUSPEND, Fault.NODE_LEAP, Fault.BREAK), WAKING,
			Plan.of("virtual machines that are paused", 3, Fault.STANDSTILL, Fault.SKEW).outsideAssumptions(),
			Plan.of("jobs on virtual machines that are paused", 3, Fault.JOBS, Fault.STANDSTILL, Fault.CRASH)
				.outsideAssumptions(),
			Plan.of("frozen servers", 5, Fault.FREEZE, Fault.SLOW),
			Plan.of("restarts with data", 3, Fault.RESTART_KEEPING, Fault.SLOW),
			Plan.of("restarts without data", 3, Fault.RESTART_EMPTY, Fault.SLOW),
			Plan.of("servers come back, clients anew", 3, Fault.RESTART_EMPTY, Fault.RESTART_KEEPING, Fault.CRASH,
					Fault.SLOW),
			Plan.of("flushed servers", 3, Fault.FLUSH, Fault.CRASH, Fault.BREAK, Fault.SLOW),
			Plan.of("leaping node clocks", 5, Fault.NODE_LEAP, Fault.BREAK),
			Plan.of("leaping clocks, durable nodes", 5, Fault.NODE_LEAP, Fault.RESTART_KEEPING),
			Plan.of("creeping clocks", 3, Fault.NODE_CREEP, Fault.IMPATIENCE),
			Plan.of("clocks that leap at one moment", 3, Fault.NODE_LEAPS_APART, Fault.BREAK, Fault.IMPATIENCE),
			Plan.of("clocks that leap as one", 3, Fault.NODE_LEAPS_ALIKE, Fault.IMPATIENCE).outsideAssumptions(),
			Plan.of("clocks far ahead and back", 3, Fault.FAR_LEAP), Plan.of("servers set to evict", 3, Fault.POLICY),
			Plan.of("servers that are reconfigured", 3, Fault.RESTART_EMPTY, Fault.RESTART_KEEPING, Fault.RECONFIGURED,
					Fault.SLOW, Fault.BREAK, Fault.CUT),
			Plan.of("declared servers", 3, Fault.DECLARED, Fault.RESTART_KEEPING, Fault.RESTART_EMPTY, Fault.FLUSH,
					Fault.CRASH, Fault.SLOW, Fault.BREAK, Fault.CUT),
			Plan.of("one declared server", 1, Fault.DECLARED, Fault.RESTART_KEEPING, Fault.RESTART_EMPTY, Fault.JOBS,
					Fault.CRASH, Fault.BREAK, Fault.PAUSE),
			Plan.of("one server that is reconfigured", 1, Fault.RESTART_EMPTY, Fault.RESTART_KEEPING,
					Fault.RECONFIGURED, Fault.CUT, Fault.BREAK, Fault.IMPATIENCE),
			Plan.of("skewed clocks", 5, Fault.SKEW, Fault.SLOW, Fault.CLIENT_STEP, Fault.IMPATIENCE), EVERYTHING,
			Plan.of("misleading clocks", 3, Fault.HURRY, Fault.BAD_HINTS, Fault.SLOW, Fault.CUT),
			Plan.of("dense fences", 5, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.SLOW, Fault.CUT, Fault.PAUSE),
			Plan.of("dense fences, lost keys", 3, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.LOST_BEFORE_RAISE,
					Fault.SLOW, Fault.EVICTION)
				.outsideAssumptions(),
			Plan.of("everything, three nodes", 3, EVERYTHING.faults().toArray(Fault[]::new)),
			Plan.of("everything, four nodes", 4, EVERYTHING.faults().toArray(Fault[]::new)),
			Plan.of("everything, one node", 1, EVERYTHING.faults().toArray(Fault[]::new)),
			Plan.of("clocks, one node", 1, Fault.NODE_LEAP, Fault.NODE_CREEP, Fault.FAR_LEAP, Fault.BREAK),
			// With one node, an eviction before the next look can end a held lock.
			Plan.of("clocks and policy, one node", 1, Fault.NODE_LEAP, Fault.NODE_CREEP, Fault.FAR_LEAP, Fault.POLICY,
					Fault.BREAK)
				.outsideAssumptions(),
			Plan.of("jobs, one lossy node", 1, Fault.JOBS, Fault.PAUSE, Fault.CRASH, Fault.RESTART_EMPTY,
					Fault.RESTART_KEEPING, Fault.FLUSH, Fault.SLOW, Fault.CUT, Fault.SKEW),
			Plan.of("waiting, one node", 1, Fault.WAITING, Fault.CRASH, Fault.SLOW),
			Plan.of("jobs", 5, Fault.JOBS, Fault.PAUSE, Fault.CRASH, Fault.SLOW, Fault.BREAK, Fault.CUT, Fault.FREEZE,
					Fault.SKEW),
			Plan.of("jobs, lossy servers", 3, Fault.JOBS, Fault.CRASH, Fault.RESTART_EMPTY, Fault.RESTART_KEEPING,
					Fault.FLUSH, Fault.SLOW, Fault.CUT),
			Plan.of("jobs, stepping clocks", 5, Fault.JOBS, Fault.NODE_STEP, Fault.CLIENT_STEP, Fault.SLOW, Fault.PAUSE)
				.outsideAssumptions(),
			Plan.of("waiting", 3, Fault.WAITING), Plan.of("waiting, five nodes", 5, Fault.WAITING, Fault.CRASH),
			Plan.of("waiting, all at once", 3, Fault.WAITING, Fault.TOGETHER),
			Plan.of("waiting, several names", 3, Fault.WAITING, Fault.TOGETHER, Fault.SEVERAL_NAMES),
			Plan.of("waiting, one server down", 3, Fault.WAITING, Fault.TOGETHER, Fault.ONE_DOWN),
			Plan.of("waiting, late answers", 3, Fault.WAITING, Fault.SLOW, Fault.LATE_ANSWERS),
			Plan.of("waiting, lost subscriptions", 3, Fault.WAITING, Fault.UNSUBSCRIBED, Fault.BREAK),
			Plan.of("waiting, lost subscriptions, long claims", 3, Fault.WAITING, Fault.LONG_CLAIMS,
					Fault.UNSUBSCRIBED),
			Plan.of("waiting, silent processes", 3, Fault.WAITING, Fault.SILENT),
			Plan.of("permits", 5, Fault.PERMITS, Fault.PAUSE, Fault.SUSPEND, Fault.CRASH, Fault.SLOW, Fault.BREAK,
					Fault.CUT, Fault.FREEZE, Fault.RESTART_KEEPING, Fault.RESTART_EMPTY, Fault.FLUSH, Fault.SKEW),
			Plan.of("permits, lost releases", 3, Fault.PERMITS, Fault.LOST_RELEASES, Fault.SLOW, Fault.CRASH),
			Plan.of("waiting for permits", 3, Fault.WAITING, Fault.PERMITS),
			Plan.of("waiting for permits, all at once", 3, Fault.WAITING, Fault.PERMITS, Fault.TOGETHER),
			Plan.of("waiting, crowds", 3, Fault.WAITING, Fault.CROWD, Fault.FICKLE),
			Plan.of("waiting, crowds, permits", 3, Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.PERMITS),
			Plan.of("waiting, crowds, several names", 3, Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.LONG_CLAIMS,
					Fault.TOGETHER, Fault.SEVERAL_NAMES),
			Plan.of("waiting, long claims", 3, Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.LONG_CLAIMS,
					Fault.TOGETHER, Fault.UNSUBSCRIBED, Fault.BREAK, Fault.SILENT),
			new Plan("waiting, some nodes", 5, Set.of(Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.SOME_NODES), true,
					true, Weakness.NONE),
			Plan.of("waiting, lost announcements", 3, Fault.WAITING, Fault.CROWD, Fault.FICKLE, Fault.LOST_NEWS),
			Plan.of("waiting, far claims", 3, Fault.WAITING, Fault.FAR_CLAIMS, Fault.CRASH, Fault.BREAK),
			Plan.of("waiting, far claims, keys deleted by hand", 3, Fault.WAITING, Fault.FAR_CLAIMS, Fault.EVICTION)
				.outsideAssumptions(),
			Plan.of("waiting, everything", 5, WAITING_THROUGH.toArray(Fault[]::new)),
			Plan.of("waiting for permits, everything", 5,
					Stream.concat(WAITING_THROUGH.stream(), Stream.of(Fault.PERMITS)).toArray(Fault[]::new)),
			Plan.of("tickets", 3, Fault.TICKETS, Fault.SLOW, Fault.CRASH, Fault.BREAK, Fault.CUT),
			Plan.of("tickets, everything", 5,
					Stream.concat(EVERYTHING.faults().stream(), Stream.of(Fault.TICKETS)).toArray(Fault[]::new)),
			Plan.of("tickets, impatience", 3, Fault.TICKETS, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.SLOW,
					Fault.PAUSE),
			Plan.of("hand-overs", 3, Fault.CROWD, Fault.FICKLE, Fault.SLOW, Fault.BREAK, Fault.CUT, Fault.PAUSE,
					Fault.CRASH),
			Plan.of("hand-overs, everything", 5,
					Stream.concat(EVERYTHING.faults().stream(), Stream.of(Fault.CROWD, Fault.FICKLE))
						.toArray(Fault[]::new)),
			Plan.of("hand-overs, dense fences", 5, Fault.CROWD, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.SLOW,
					Fault.CUT, Fault.PAUSE),
			Plan.of("hand-overs and tickets", 3, Fault.CROWD, Fault.FICKLE, Fault.TICKETS, Fault.SLOW, Fault.BREAK),
			Plan.of("hand-overs, servers that may not vote", 3, Fault.CROWD, Fault.FICKLE, Fault.POLICY),
			Plan.of("hand-overs, keys deleted by hand", 3, Fault.CROWD, Fault.FICKLE, Fault.SEVERAL_NAMES,
					Fault.KEY_DELETED)
				.outsideAssumptions(),
			Plan.of("lost releases", 3, Fault.LOST_RELEASES, Fault.SLOW, Fault.CRASH),
			Plan.of("stepping node clocks", 5, Fault.NODE_STEP, Fault.SLOW).outsideAssumptions(),
			Plan.of("eviction", 5, Fault.EVICTION, Fault.SLOW).outsideAssumptions());

	static final List<Plan> CONTROLS = List.of(
			Plan.of("ticket takes keys of others", 3, Fault.TICKETS).weakenedBy(Weakness.KEY_NOT_COMPARED),
			Plan.of("ticket takes free keys", 3, Fault.TICKETS).weakenedBy(Weakness.FREE_KEY_TAKEN),
			Plan.of("ticket leaves the token", 3, Fault.TICKETS).weakenedBy(Weakness.TOKEN_KEPT),
			Plan.of("ticket leaves the fence", 3, Fault.TICKETS).weakenedBy(Weakness.FENCE_KEPT),
			Plan.of("detached lease believed", 3, Fault.TICKETS).weakenedBy(Weakness.DETACHED_BELIEVED),
			Plan.of("detached lease extended", 3, Fault.TICKETS).weakenedBy(Weakness.DETACHED_EXTENDED),
			Plan.of("hand-over takes keys of others", 3, Fault.CROWD).weakenedBy(Weakness.KEY_NOT_COMPARED),
			Plan.of("hand-over leaves the token", 3, Fault.CROWD).weakenedBy(Weakness.TOKEN_KEPT),
			Plan.of("hand-over leaves the fence", 3, Fault.CROWD).weakenedBy(Weakness.FENCE_KEPT),
			Plan.of("refused hand-over leaves the lease", 3, Fault.CROWD, Fault.SEVERAL_NAMES, Fault.KEY_DELETED)
				.outsideAssumptions()
				.weakenedBy(Weakness.REFUSED_HAND_OVER_KEPT),
			Plan.of("release not sent where a hand-over failed", 3, Fault.CROWD, Fault.POLICY)
				.weakenedBy(Weakness.HANDED_OVER_BLINDLY),
			Plan.of("lapsed lease handed over", 3, Fault.CROWD).weakenedBy(Weakness.LAPSED_HANDED_OVER),
			Plan.of("jobs under a plain lock", 5, Fault.JOBS).weakenedBy(Weakness.PLAIN_LOCK),
			Plan.of("unchecked tick", 5, Fault.JOBS, Fault.HURRY, Fault.SLOW).weakenedBy(Weakness.UNCHECKED_TICK),
			Plan.of("forgotten ticks", 3, Fault.JOBS, Fault.FLUSH).weakenedBy(Weakness.FORGOTTEN_TICKS),
			Plan.of("no raise", 3, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.SLOW).weakenedBy(Weakness.NO_RAISE),
			Plan.of("unowned raise", 3, Fault.HURRY, Fault.COUNTERS_AHEAD, Fault.LOST_BEFORE_RAISE, Fault.SLOW)
				.outsideAssumptions()
				.weakenedBy(Weakness.UNOWNED_RAISE),
			Plan.of("validity from the verdict", 5, Fault.SLOW, Fault.CUT).weakenedBy(Weakness.LATE_START),
			Plan.of("wall clock with steps", 5, Fault.CLIENT_STEP).weakenedBy(Weakness.WALL_CLOCK),
			Plan.of("monotonic clock alone", 3, Fault.SUSPEND).weakenedBy(Weakness.MONOTONIC_CLOCK),
			Plan.of("monotonic clock alone, long sleep", 3, Fault.SLEEP).weakenedBy(Weakness.MONOTONIC_CLOCK),
			Plan.of("both clocks stand still", 3, Fault.STANDSTILL),
			Plan.of("no quarantine", 3, Fault.RESTART_EMPTY).weakenedBy(Weakness.NO_QUARANTINE),
			Plan.of("replay", 3, Fault.RESTART_EMPTY, Fault.BREAK, Fault.SLOW).weakenedBy(Weakness.REPLAY),
			Plan.of("no marker", 3, Fault.FLUSH).weakenedBy(Weakness.NO_MARKER),
			Plan.of("no watch over clocks", 3, Fault.NODE_LEAP).weakenedBy(Weakness.NO_CLOCK_WATCH),
			Plan.of("a single step believed", 3, Fault.NODE_LEAP).weakenedBy(Weakness.STEP_BELIEVED),
			Plan.of("steps of any amounts believed", 3, Fault.NODE_LEAPS_APART, Fault.IMPATIENCE)
				.weakenedBy(Weakness.AMOUNTS_NOT_COMPARED),
			Plan.of("clocks that leap as one", 3, Fault.NODE_LEAPS_ALIKE, Fault.IMPATIENCE),
			Plan.of("pause not counted", 3, Fault.STANDSTILL)
				.outsideAssumptions()
				.weakenedBy(Weakness.PAUSE_NOT_COUNTED),
			Plan.of("steps that add up", 3, Fault.NODE_CREEP, Fault.IMPATIENCE).weakenedBy(Weakness.REBASED),
			Plan.of("unnoticed step not counted", 3, Fault.NODE_CREEP, Fault.IMPATIENCE)
				.weakenedBy(Weakness.STEP_NOT_COUNTED),
			Plan.of("eternal marker", 3, Fault.FAR_LEAP).weakenedBy(Weakness.ETERNAL_MARKER),
			Plan.of("lead of counters not kept", 3, Fault.HURRY, Fault.COUNTERS_AHEAD)
				.weakenedBy(Weakness.LEAD_NOT_KEPT),
			Plan.of("no look while ready", 3, Fault.POLICY).weakenedBy(Weakness.NO_LOOK),
			Plan.of("new life vouches", 1, Fault.RESTART_EMPTY, Fault.RECONFIGURED, Fault.IMPATIENCE)
				.weakenedBy(Weakness.NEW_LIFE_VOUCHES),
			Plan.of("own word about a server", 1, Fault.RESTART_EMPTY, Fault.RESTART_KEEPING, Fault.RECONFIGURED,
					Fault.BREAK)
				.weakenedBy(Weakness.OWN_WORD),
			Plan.of("declared and false", 3, Fault.DECLARED, Fault.RESTART_EMPTY)
				.weakenedBy(Weakness.FALSE_DECLARATION),
			Plan.of("one server, declared and false", 1, Fault.DECLARED, Fault.RESTART_EMPTY)
				.weakenedBy(Weakness.FALSE_DECLARATION),
			Plan.of("scripts outlive their server", 3, Fault.RESTART_EMPTY).weakenedBy(Weakness.SCRIPTS_OUTLIVE),
			Plan.of("no age", 3, Fault.RESTART_EMPTY, Fault.CRASH).weakenedBy(Weakness.NO_AGE),
			Plan.of("timers late after a sleep", 3, Fault.SLEEP).weakenedBy(Weakness.LATE_AFTER_SLEEP),
			Plan.of("deleted under work", 3, Fault.RESTART_OF_LOCK, Fault.IMPATIENCE)
				.weakenedBy(Weakness.DELETED_UNDER_WORK),
			Plan.of("lock delay not told", 3, Fault.CRASH, Fault.IMPATIENCE).weakenedBy(Weakness.NO_DELAY),
			Plan.of("no drift with skew", 5, Fault.SKEW, Fault.IMPATIENCE).weakenedBy(Weakness.NO_DRIFT),
			Plan.of("half a quorum", 4, Fault.SLOW).weakenedBy(Weakness.HALF_QUORUM),
			Plan.of("one token for all tries", 3, Fault.SLOW, Fault.BREAK, Fault.CUT).weakenedBy(Weakness.ONE_TOKEN),
			Plan.of("restored after a lapse", 3, Fault.EVICTION, Fault.SLOW).weakenedBy(Weakness.RESTORED_LATE),
			Plan.of("losers waited for", 3, Fault.WAITING, Fault.TOGETHER, Fault.ONE_DOWN)
				.weakenedBy(Weakness.LOSERS_WAITED_FOR),
			Plan.of("lost subscription unnoticed", 3, Fault.WAITING, Fault.UNSUBSCRIBED)
				.weakenedBy(Weakness.LOSS_UNNOTICED),
			Plan.of("silent process not told", 3, Fault.WAITING, Fault.SILENT).weakenedBy(Weakness.SILENCE_NOT_TOLD),
			Plan.of("failed try not announced", 3, Fault.WAITING, Fault.TOGETHER, Fault.LATE_ANSWERS)
				.weakenedBy(Weakness.FAILURE_NOT_TOLD),
			Plan.of("timers that never run", 3, Fault.WAITING, Fault.SLOW).weakenedBy(Weakness.TIMERS_LOST),
			Plan.of("rounds without a timeout", 1).weakenedBy(Weakness.NO_NODE_TIMEOUT),
			Plan.of("end of a claim not known", 3, Fault.WAITING, Fault.CRASH).weakenedBy(Weakness.ENDLESS_CLAIMS),
			Plan.of("releases not heard", 3, Fault.WAITING, Fault.TOGETHER).weakenedBy(Weakness.RELEASES_UNHEARD),
			Plan.of("releases of several not heard", 3, Fault.WAITING, Fault.TOGETHER, Fault.SEVERAL_NAMES)
				.weakenedBy(Weakness.RELEASES_UNHEARD),
			Plan.of("announcements waited for without end", 3, Fault.WAITING, Fault.FAR_CLAIMS)
				.weakenedBy(Weakness.ENDLESS_WAIT),
			Plan.of("failed try not released", 3, Fault.WAITING, Fault.CROWD, Fault.TOGETHER, Fault.LONG_CLAIMS)
				.weakenedBy(Weakness.FAILURES_KEPT),
			Plan.of("permits counted by votes", 5, Fault.PERMITS, Fault.SLOW, Fault.CUT, Fault.IMPATIENCE)
				.weakenedBy(Weakness.COUNTED_PERMITS),
			Plan.of("permits, no quarantine", 3, Fault.PERMITS, Fault.RESTART_EMPTY).weakenedBy(Weakness.NO_QUARANTINE),
			Plan.of("permits, releases not heard", 3, Fault.WAITING, Fault.PERMITS, Fault.TOGETHER)
				.weakenedBy(Weakness.RELEASES_UNHEARD),
			Plan.of("eviction", 3, Fault.EVICTION), Plan.of("two lists of nodes", 5).weakenedBy(Weakness.TWO_LISTS),
			Plan.of("short retention", 3, Fault.HURRY, Fault.BAD_HINTS, Fault.SLOW)
				.weakenedBy(Weakness.SHORT_RETENTION));

	private Plans() {
	}

}
