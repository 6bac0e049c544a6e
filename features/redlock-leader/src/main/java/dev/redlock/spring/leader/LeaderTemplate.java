package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.template.LockCallback;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks only in the process that leads a role. For methods, use the annotation
 * {@link LeaderOnly}. This class is thread-safe.
 */
public final class LeaderTemplate {

	private final Map<String, LeaderRole> roles = new ConcurrentHashMap<>();

	private final Collection<Consumer<LeaderRole>> watchers = new CopyOnWriteArrayList<>();

	private final Redlock redlock;

	private final @Nullable Duration ttl;

	private final Scheduler timers;

	private final Function<String, Executor> notifications;

	private final Consumer<Object> events;

	private final Executor executor;

	private volatile boolean started;

	LeaderTemplate(Redlock redlock, @Nullable Duration ttl, Scheduler timers, Function<String, Executor> notifications,
			Consumer<Object> events, Executor executor) {
		this.redlock = redlock;
		this.ttl = ttl;
		this.timers = timers;
		this.notifications = notifications;
		this.events = events;
		this.executor = executor;
	}

	/**
	 * Returns the role with the given name, which must be equal in all processes. To make
	 * this process a candidate for the role, call {@link #join(String)}.
	 * @throws IllegalArgumentException if the name of the role is blank
	 */
	public LeaderRole role(String name) {
		if (name.isBlank()) {
			throw new IllegalArgumentException(
					"The name of a role must not be blank. Name the role after the work of its leader.");
		}
		LockRequest request = LockRequest.of(name).withTtl(this.ttl).withOrigin("leader:" + name);
		LeaderRole known = this.roles.get(request.resources().get(0));
		return (known != null) ? known : add(request);
	}

	/**
	 * Makes this process a candidate for the role until the returned candidacy is closed.
	 * While the application is starting or stopped, the process cannot become the leader.
	 * If a process joins a role several times, it stays a candidate until all candidacies
	 * are closed.
	 * @throws IllegalArgumentException if the name is blank, or the lock settings do not
	 * allow the ttl of the leader's lease
	 * @throws IllegalStateException if fencing is disabled
	 */
	public Candidacy join(String name) {
		LeaderRole role = role(name);
		role.check();
		this.watchers.forEach((watcher) -> watcher.accept(role));
		role.join();
		AtomicBoolean closed = new AtomicBoolean();
		return () -> {
			if (closed.compareAndSet(false, true)) {
				role.leave();
			}
		};
	}

	/**
	 * Returns the roles for which this process is a candidate.
	 */
	public Collection<LeaderRole> roles() {
		return this.roles.values().stream().filter(LeaderRole::isJoined).toList();
	}

	/**
	 * Runs a callback if this process leads the role. In the callback,
	 * {@code CurrentLease.get()} returns the leader's lease. The lease is released only
	 * after the callback has ended.
	 * @throws dev.redlock.LockNotAcquiredException if this process does not lead the
	 * role; the callback did not run
	 * @throws dev.redlock.LockLostException if the leader's lease was lost while the
	 * callback ran
	 */
	public <T extends @Nullable Object> T execute(String role, LockCallback<T> action) {
		return template(role(role)).execute(LockRequest.of(role), action);
	}

	/**
	 * Runs an asynchronous callback if this process leads the role, without blocking the
	 * caller. The leader's lease is released only after the callback's stage has
	 * completed.
	 * @return a stage that completes with the callback's result; fails with the
	 * exceptions of {@link #execute(String, LockCallback)}
	 */
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(String role,
			Function<Lease, ? extends CompletionStage<T>> action) {
		return template(role(role)).executeAsync(LockRequest.of(role), action);
	}

	Redlock redlock() {
		return this.redlock;
	}

	RedLockTemplate template(LeaderRole role) {
		return RedLockTemplate.borrowing(this.redlock, role.name(), role::lend, this.executor);
	}

	/**
	 * Calls the watcher with each role for which this process is a candidate, now or
	 * later.
	 */
	void watch(Consumer<LeaderRole> watcher) {
		this.watchers.add(watcher);
		roles().forEach(watcher);
	}

	void start() {
		this.started = true;
		this.roles.values().forEach(LeaderRole::start);
	}

	void stop() {
		this.started = false;
		this.roles.values().forEach(LeaderRole::stop);
	}

	private LeaderRole add(LockRequest request) {
		String name = request.resources().get(0);
		LeaderRole added = new LeaderRole(this.redlock, request, this.timers, this.notifications.apply(name),
				this.events);
		LeaderRole known = this.roles.putIfAbsent(name, added);
		if (known != null) {
			return known;
		}
		if (this.started) {
			added.start();
			if (!this.started) {
				// Another thread may have called stop() before the new role started.
				added.stop();
			}
		}
		return added;
	}

	/**
	 * Keeps this process a candidate for a role until {@link #close()} is called. This
	 * class is thread-safe.
	 */
	@FunctionalInterface
	public interface Candidacy extends AutoCloseable {

		/**
		 * Ends the candidacy. If this process leads and has no other candidacy, this
		 * process gives up the role. New leader-only calls are refused at once, and the
		 * lease is released after listeners and running calls have ended. The method
		 * {@code close()} does not wait until the lease is released.
		 */
		@Override
		void close();

	}

}
