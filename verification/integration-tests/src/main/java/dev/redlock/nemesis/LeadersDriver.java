package dev.redlock.nemesis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.Lease;
import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;

/**
 * Leaders of this project: a name is a role, its lock is a term, and to release it is to
 * yield. One thread of each process has a term.
 */
public final class LeadersDriver implements LockDriver {

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

	private final RedlockDriver lock = new RedlockDriver();

	/** The terms that a thread of this process has or had. */
	private final Set<Long> had = ConcurrentHashMap.newKeySet();

	private final Map<String, LeaderRole> roles = new ConcurrentHashMap<>();

	/**
	 * Creates a driver that is not connected.
	 */
	public LeadersDriver() {
	}

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		Map<String, Object> properties = new HashMap<>(RedlockDriver.shortTimes());
		properties.put("redlock.leader.ttl", "1500ms");
		properties.put("redlock.shutdown-timeout", "2s");
		this.lock.connect(addresses, restartGuard, properties);
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) {
		LeaderRole role = this.roles.computeIfAbsent(name, this::join);
		long begun = SteppedClock.machineNanos();
		do {
			Optional<Grant> term = role.isLeader() ? term(role) : Optional.empty();
			if (term.isPresent()) {
				return term;
			}
			LockSupport.parkNanos(POLL_NANOS);
		}
		while (SteppedClock.machineNanos() - begun < wait.toNanos());
		return Optional.empty();
	}

	@Override
	public boolean renews() {
		return true;
	}

	/**
	 * Gives back the roles that this process leads.
	 */
	@Override
	public void settle() {
		this.lock.close();
	}

	@Override
	public void close() {
		this.lock.close();
	}

	/**
	 * Begins a call of the leader that goes on until its term is released. Ends it at
	 * once if another thread has the term.
	 */
	private Optional<Grant> term(LeaderRole role) {
		CompletableFuture<Lease> begun = new CompletableFuture<>();
		CompletableFuture<Void> done = new CompletableFuture<>();
		leaders().executeAsync(role.name(), (lease) -> {
			begun.complete(lease);
			return done;
		}).whenComplete((result, failure) -> begun.cancel(false));
		try {
			Lease lease = begun.orTimeout(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS).join();
			if (this.had.add(lease.fence())) {
				return Optional.of(new Term(role, lease, done));
			}
		}
		catch (CompletionException | CancellationException ex) {
			// It leads no more.
		}
		done.complete(null);
		return Optional.empty();
	}

	private LeaderRole join(String name) {
		leaders().join(name);
		return leaders().role(name);
	}

	private LeaderTemplate leaders() {
		return this.lock.bean(LeaderTemplate.class);
	}

	private record Term(LeaderRole role, Lease lease, CompletableFuture<Void> done) implements Grant {

		@Override
		public long fence() {
			return this.lease.fence();
		}

		@Override
		public long validUntilNanos() {
			// The clock first: a pause in between must not make the belief longer.
			long now = SteppedClock.machineNanos();
			return now + this.lease.remaining().toNanos();
		}

		@Override
		public void onLoss(Runnable listener) {
			this.lease.lost().thenRun(listener);
		}

		/**
		 * Yields while its call runs, or after it has ended.
		 */
		@Override
		public int release() {
			if (ThreadLocalRandom.current().nextBoolean()) {
				this.role.yield();
			}
			this.done.complete(null);
			this.role.yield();
			return -1;
		}

	}

}
