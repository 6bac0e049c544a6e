package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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
 * Runs pieces of code only in the process that leads a role, like {@link LeaderOnly} for
 * methods. This class is thread-safe.
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

	/**
	 * Creates a template, which does not stand for election before it is started.
	 * @param ttl the ttl of the lease of a leader, null for the default
	 * @param timers runs delayed tasks
	 * @param notifications returns the executor that notifies the listeners of a role
	 * @param events receives the events of all roles
	 * @param executor runs asynchronous work
	 */
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
	 * Returns a view of a role. This process leads the role only while it stands for
	 * election, see {@link #join(String)}.
	 * @param name the name of the role, the same in all processes
	 * @return the role
	 * @throws IllegalArgumentException if the name is blank
	 */
	public LeaderRole role(String name) {
		if (name.isBlank()) {
			throw new IllegalArgumentException(
					"The name of a role must not be blank. Name the role after the " + "work of its leader.");
		}
		LockRequest request = LockRequest.of(name).withTtl(this.ttl).withOrigin("leader:" + name);
		LeaderRole known = this.roles.get(request.resources().get(0));
		return (known != null) ? known : add(request);
	}

	/**
	 * Stands for election until the candidacy is closed. While the application starts or
	 * is stopped, the candidacy waits. A process that joins several times stands until
	 * all of its candidacies are closed.
	 * @param name the name of the role, the same in all processes
	 * @return the candidacy
	 * @throws IllegalArgumentException if the name is blank or the ttl does not fit the
	 * settings
	 * @throws IllegalStateException if fencing is disabled, so that terms have no number
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
	 * Returns the roles for which this process stands.
	 * @return the roles, in no order
	 */
	public Collection<LeaderRole> roles() {
		return this.roles.values().stream().filter(LeaderRole::isJoined).toList();
	}

	/**
	 * Runs work if this process leads. During the work, the leader's lease is the current
	 * lease. The lease is released only after the work has ended.
	 * @param <T> the type of the result
	 * @param role the name of the role
	 * @param action the work
	 * @return the result of the work
	 * @throws dev.redlock.LockNotAcquiredException if this process does not lead; the
	 * work did not run
	 * @throws dev.redlock.LockLostException if the lease was lost while the work ran
	 */
	public <T extends @Nullable Object> T execute(String role, LockCallback<T> action) {
		return template(role(role)).execute(LockRequest.of(role), action);
	}

	/**
	 * Runs asynchronous work if this process leads, without blocking the caller. The
	 * leader's lease is released only after the stage of the work has completed.
	 * @param <T> the type of the result
	 * @param role the name of the role
	 * @param action starts the work, on the executor of the application
	 * @return completes with the result of the work; fails with the exceptions of
	 * {@link #execute(String, LockCallback)}
	 */
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(String role,
			Function<Lease, ? extends CompletionStage<T>> action) {
		return template(role(role)).executeAsync(LockRequest.of(role), action);
	}

	Redlock redlock() {
		return this.redlock;
	}

	RedLockTemplate template(LeaderRole role) {
		return RedLockTemplate.sharing(this.redlock, role.name(), role::lease, this.executor);
	}

	/**
	 * Passes each role for which this process stands to a watcher, now and after each
	 * join.
	 */
	void watch(Consumer<LeaderRole> watcher) {
		this.watchers.add(watcher);
		roles().forEach(watcher);
	}

	void start() {
		this.started = true;
		this.roles.values().forEach(LeaderRole::start);
	}

	/**
	 * Hands all roles over.
	 * @return completes when all leases were released
	 */
	CompletableFuture<Void> stop() {
		this.started = false;
		return handOver(this.roles.values(), LeaderRole::stop);
	}

	/**
	 * Ends one candidacy for each of the given roles.
	 * @return completes when all leases were released
	 */
	CompletableFuture<Void> leave(Collection<String> names) {
		return handOver(names.stream().map(this::role).toList(), LeaderRole::leave);
	}

	/**
	 * Waits a little longer than running calls may take. After this time, the lease is
	 * released even if calls are still running.
	 */
	private CompletableFuture<Void> handOver(Collection<LeaderRole> left,
			Function<LeaderRole, CompletionStage<Void>> end) {
		Duration longest = this.redlock.settings().shutdownTimeout().plusSeconds(1);
		return CompletableFuture.allOf(
				left.stream().map((role) -> end.apply(role).toCompletableFuture()).toArray(CompletableFuture<?>[]::new))
			.completeOnTimeout(null, longest.toNanos(), TimeUnit.NANOSECONDS)
			.handle((done, failure) -> null);
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
				// The template was stopped while the caller waited.
				added.stop();
			}
		}
		return added;
	}

	/**
	 * Keeps this process among the candidates of a role until it is closed. This class is
	 * thread-safe.
	 */
	@FunctionalInterface
	public interface Candidacy extends AutoCloseable {

		/**
		 * Ends the candidacy. If a leader ends its last candidacy, the role goes to
		 * another process: further calls are refused at once, listeners are notified,
		 * running calls end, and the lease is released. This method waits for none of
		 * these steps.
		 */
		@Override
		void close();

	}

}
