package dev.redlock.nemesis;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.nemesis.proxy.Traffic.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A kind of fault.
 */
public enum Fault {

	/** A server is killed and comes back at once, empty. */
	RESTART_EMPTY(Target.FORGETFUL_SERVER),

	/** A server is killed and comes back a while later, empty. */
	KILL(Target.FORGETFUL_SERVER),

	/** A server that writes everything to disk is killed and comes back with its data. */
	RESTART_WITH_DATA(Target.DURABLE_SERVER),

	/** A server is stopped for a while and goes on. */
	FREEZE(Target.SERVER),

	/** A server has no memory left for a while. */
	OUT_OF_MEMORY(Target.SERVER),

	/** All servers have no memory left for a while. No lock is lost by that. */
	FULL_MEMORY_EVERYWHERE(Target.ALL_SERVERS),

	/**
	 * On all servers, clients lose the right to announce releases for a while. Holders
	 * learn of it at their next release.
	 */
	NO_RIGHT_TO_ANNOUNCE(Target.ALL_SERVERS),

	/**
	 * A server is told to evict keys, and no longer some rounds later. It has memory
	 * meanwhile, so it evicts none.
	 */
	CONFIG_POLICY(Target.SERVER),

	/** A server that writes everything to disk loses its power. */
	POWER_CUT(Target.DURABLE_SERVER),

	/** All servers that write everything to disk lose their power. */
	POWER_CUT_OF_ALL(Target.ALL_SERVERS),

	/**
	 * A server that writes everything to disk is told not to. The next time, if each
	 * client has looked meanwhile, it is killed and comes back with what it had written
	 * by then.
	 */
	CONFIG_DURABILITY(Target.DURABLE_SERVER),

	/** All keys of a server are deleted. */
	FLUSHALL(Target.FORGETFUL_SERVER),

	/** The clock of a server steps forward, which ends its locks early. */
	CLOCK_FORWARD(Target.FORGETFUL_SERVER),

	/** The clock of a server steps back, which makes its locks last longer. */
	CLOCK_BACK(Target.FORGETFUL_SERVER),

	/** The clock of a server steps forward by little, many times. */
	SMALL_STEPS(Target.FORGETFUL_SERVER),

	/** The clock of a server is days ahead for a moment, and then right again. */
	CLOCK_FAR_AHEAD(Target.FORGETFUL_SERVER),

	/** Connections are reset. */
	RESET(Target.CONNECTIONS),

	/** The server's side of connections is closed, the client's side is not. */
	HALF_OPEN(Target.CONNECTIONS),

	/** Connections are accepted, and everything is swallowed. */
	BLACK_HOLE(Traffic.BLACK_HOLE),

	/** Nothing passes for a while, and then everything does. */
	PARTITION(Traffic.PARTITION),

	/** Requests wait, replies pass. */
	LATE_REQUESTS(Traffic.CLEAR.with(Flow.HOLD, Flow.PASS)),

	/** Requests pass, replies wait. */
	LATE_REPLIES(Traffic.CLEAR.with(Flow.PASS, Flow.HOLD)),

	/** Requests are lost, replies pass. */
	NO_REQUESTS(Traffic.CLEAR.with(Flow.DROP, Flow.PASS)),

	/** Requests pass, replies are lost. */
	NO_REPLIES(Traffic.CLEAR.with(Flow.PASS, Flow.DROP)),

	/** Everything passes late, and not evenly. */
	SLOW(Target.CONNECTIONS),

	/** The wall clock of a client is seconds to an hour ahead for a while. */
	CLIENT_CLOCK_FORWARD(Target.CLIENT),

	/** The wall clock of a client is seconds to an hour behind for a while. */
	CLIENT_CLOCK_BACK(Target.CLIENT),

	/** A client process is stopped for longer than its locks live. */
	STOP_CLIENT(Target.CLIENT),

	/**
	 * The machine of a client is suspended: its monotonic clock does not count that time.
	 */
	SUSPEND_CLIENT(Target.CLIENT);

	private final Target target;

	private final @Nullable Traffic traffic;

	Fault(Target target) {
		this.target = target;
		this.traffic = null;
	}

	Fault(Traffic traffic) {
		this.target = Target.CONNECTIONS;
		this.traffic = traffic;
	}

	/**
	 * All faults but some.
	 * @param excluded what to leave out
	 * @return the others
	 */
	public static Set<Fault> allBut(Fault... excluded) {
		Set<Fault> faults = EnumSet.allOf(Fault.class);
		faults.removeAll(Arrays.asList(excluded));
		return faults;
	}

	Target target() {
		return this.target;
	}

	@Nullable Traffic traffic() {
		return this.traffic;
	}

	/**
	 * Whether a server loses its locks.
	 */
	boolean forgets() {
		return this.target == Target.FORGETFUL_SERVER && this != CLOCK_BACK;
	}

	/**
	 * Whether it is a clock that fails.
	 */
	boolean steps() {
		return switch (this) {
			case CLOCK_FORWARD, CLOCK_BACK, SMALL_STEPS, CLOCK_FAR_AHEAD, CLIENT_CLOCK_FORWARD, CLIENT_CLOCK_BACK ->
				true;
			default -> false;
		};
	}

	/**
	 * Whether it takes a shared object that is put in front of the C library.
	 */
	boolean needsShim() {
		return steps() || this == SUSPEND_CLIENT || this == POWER_CUT || this == POWER_CUT_OF_ALL;
	}

	/**
	 * What a fault happens to.
	 */
	enum Target {

		FORGETFUL_SERVER, DURABLE_SERVER, SERVER, ALL_SERVERS, CONNECTIONS, CLIENT

	}

}
