package dev.redlock.spring.leader;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Runs methods with {@link LeaderOnly} only while this process leads their role. Startup
 * fails if a role and a {@code @RedLock} have the same name. The name of a lock that
 * contains an expression is not checked, because it is unknown before the call.
 */
final class LeaderExtension implements LockedMethodExtension, SmartInitializingSingleton {

	private static final String RESOURCE = "resource";

	private final ObjectProvider<LeaderTemplate> leaders;

	private final Map<String, AnnotatedMethod> roles = new ConcurrentHashMap<>();

	private final Map<String, AnnotatedMethod> locks = new ConcurrentHashMap<>();

	private final Set<String> joined = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	LeaderExtension(ObjectProvider<LeaderTemplate> leaders) {
		this.leaders = leaders;
	}

	@Override
	public @Nullable Runner read(AnnotatedMethod method) {
		return null;
	}

	@Override
	public @Nullable Templates templates(AnnotatedMethod method, List<String> names) {
		if (!isLeaderOnly(method)) {
			names.stream().filter((name) -> !name.isBlank()).map(LeaderExtension::normal).forEach((name) -> {
				this.locks.put(name, method);
				requireOneMeaning(name);
			});
			return null;
		}
		String role = normal(constant(method, names));
		this.roles.putIfAbsent(role, method);
		requireOneMeaning(role);
		if (this.started) {
			requirePossible(role, method);
			join(role);
		}
		return new Templates(() -> template(role), () -> new ReactiveRedLockTemplate(template(role)));
	}

	/**
	 * A scheduler would log the exception of each call, with its stack trace, while no
	 * process leads.
	 */
	@Override
	public boolean skipsAlways(AnnotatedMethod method) {
		return isLeaderOnly(method) && MergedAnnotations.from(method.method()).isPresent(Scheduled.class);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.roles.forEach(this::requirePossible);
	}

	/**
	 * Makes this process a candidate for the roles of all {@link LeaderOnly} methods in
	 * this application context.
	 */
	void join() {
		this.started = true;
		this.roles.keySet().forEach(this::join);
	}

	/**
	 * Ends the candidacies that {@link #join()} began.
	 */
	void leave() {
		this.started = false;
		Set<String> left = Set.copyOf(this.joined);
		this.joined.removeAll(left);
		left.forEach((role) -> this.leaders.getObject().role(role).leave());
	}

	private void join(String role) {
		if (this.joined.add(role)) {
			this.leaders.getObject().join(role);
		}
	}

	private void requirePossible(String role, AnnotatedMethod method) {
		try {
			this.leaders.getObject().role(role).check();
		}
		catch (IllegalStateException ex) {
			throw invalid(method, "the leader has no term, because fencing is disabled.",
					"Set redlock.fencing.enabled=true on every client.");
		}
		catch (IllegalArgumentException ex) {
			throw invalid(method, "the leader cannot have a lease: " + ex.getMessage(), "Change redlock.leader.ttl.");
		}
	}

	private RedLockTemplate template(String role) {
		LeaderTemplate leader = this.leaders.getObject();
		return leader.template(leader.role(role));
	}

	private static boolean isLeaderOnly(AnnotatedMethod method) {
		return method.annotation().getMetaTypes().contains(LeaderOnly.class);
	}

	private static String constant(AnnotatedMethod method, List<String> names) {
		if (names.isEmpty()) {
			throw invalid(method, "the name of the role contains an expression, and a process must know its roles "
					+ "before any call.", "Write the name as plain text, or as a placeholder such as ${role}.");
		}
		if (names.get(0).isBlank()) {
			throw invalid(method, "the name of the role is blank.",
					"Name the role after the work of its leader, as in @LeaderOnly(\"importer\").");
		}
		return names.get(0);
	}

	private void requireOneMeaning(String name) {
		AnnotatedMethod role = this.roles.get(name);
		AnnotatedMethod lock = this.locks.get(name);
		if (role != null && lock != null) {
			throw invalid(lock,
					"'" + name + "' is a role, see @LeaderOnly on " + role
							+ ". The leader of a role holds the lock of this name as long as it leads, so no call "
							+ "would get the lock.",
					"Give the role or the lock another name.");
		}
	}

	private static InvalidRedLockException invalid(AnnotatedMethod method, String problem, String action) {
		return new InvalidRedLockException(method, RESOURCE, problem, action);
	}

	private static String normal(String name) {
		return LockRequest.of(name).resources().get(0);
	}

}
