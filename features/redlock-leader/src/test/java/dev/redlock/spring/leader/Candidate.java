package dev.redlock.spring.leader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;

/**
 * A process that wants to lead the role {@code importer}, in time that stands still.
 */
final class Candidate {

	final LeaderTemplate leaders;

	final LeaderRole role;

	final LeaderTemplate.Candidacy candidacy;

	/** What its listeners were told, unless a test replaces them. */
	final List<Object> events = new ArrayList<>();

	Consumer<Object> listener = this.events::add;

	Executor notifications = Runnable::run;

	Candidate(LockWorld world, Redlock redlock) {
		this(redlock, world.time);
	}

	Candidate(Redlock redlock, Scheduler timers) {
		this.leaders = new LeaderTemplate(redlock, null, timers, (role) -> (task) -> this.notifications.execute(task),
				(event) -> this.listener.accept(event), Runnable::run);
		this.role = this.leaders.role("importer");
		this.candidacy = this.leaders.join("importer");
	}

	boolean isLeader() {
		return this.role.isLeader();
	}

	long term() {
		return this.role.term().orElseThrow();
	}

	/** Whether a call of the leader is admitted. */
	boolean works() {
		try {
			return this.leaders.execute("importer", (lease) -> true);
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
	}

}
