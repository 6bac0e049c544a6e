package dev.redlock.spring.internal.startup;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.redlock.Redlock;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Makes Spring destroy the locks of an application context after the beans that use them,
 * so that a destroy method still works under its lock. The order is registered when the
 * context stops, because an earlier registration would make {@code @DependsOn} circular.
 */
final class LockUsers implements SmartLifecycle {

	/**
	 * Locks stop after the web server and before Redis connection factories (phase 0).
	 */
	private static final int PHASE = 1024;

	private static final List<Class<?>> TEMPLATES = List.of(RedLockOperations.class, ReactiveRedLockTemplate.class);

	private final ConfigurableListableBeanFactory beans;

	private final Set<String> lockedBeans = ConcurrentHashMap.newKeySet();

	private volatile boolean running;

	LockUsers(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Notes a bean with locked methods.
	 */
	void add(String beanName) {
		this.lockedBeans.add(beanName);
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		Set<String> users = new LinkedHashSet<>(this.lockedBeans);
		// An executor may run work under a lock until its destroy method has returned.
		users.addAll(existing(Executor.class));
		Set<String> templates = new LinkedHashSet<>();
		TEMPLATES.forEach((type) -> templates.addAll(existing(type)));
		templates.forEach((template) -> destroyBefore(template, users));
		users.addAll(templates);
		existing(Redlock.class).forEach((lock) -> destroyBefore(lock, users));
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	/**
	 * Leaves out users on which the bean itself depends, because these must be destroyed
	 * after the bean.
	 */
	private void destroyBefore(String bean, Set<String> users) {
		Set<String> needed = dependencies(bean);
		users.stream()
			.filter((user) -> !needed.contains(user))
			.forEach((user) -> this.beans.registerDependentBean(bean, user));
	}

	/**
	 * Returns the bean and all beans on which it depends.
	 */
	private Set<String> dependencies(String bean) {
		Set<String> found = new HashSet<>();
		Deque<String> open = new ArrayDeque<>(List.of(bean));
		while (!open.isEmpty()) {
			String next = open.remove();
			if (found.add(next)) {
				open.addAll(List.of(this.beans.getDependenciesForBean(next)));
			}
		}
		return found;
	}

	private List<String> existing(Class<?> type) {
		return Arrays.stream(this.beans.getBeanNamesForType(type, false, false))
			.filter(this.beans::containsSingleton)
			.toList();
	}

}
