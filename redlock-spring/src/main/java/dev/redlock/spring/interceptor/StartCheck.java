package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.redlock.Redlock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Checks the annotations of beans against the settings of the lock. The lock may only be
 * asked for when all singletons are there, so beans that are created earlier wait.
 */
final class StartCheck {

	private final RedLockInterceptor interceptor;

	private final ObjectProvider<Redlock> redlock;

	private final AdviceOrder order;

	private final Queue<LockedBean> unchecked = new ConcurrentLinkedQueue<>();

	private volatile boolean started;

	StartCheck(RedLockInterceptor interceptor, ObjectProvider<Redlock> redlock, AdviceOrder order) {
		this.interceptor = interceptor;
		this.redlock = redlock;
		this.order = order;
	}

	/**
	 * Checks a new bean, at once or later.
	 */
	void created(String name, Object proxy, List<RedLockSpec> specs) {
		LockedBean bean = new LockedBean(name, specs);
		this.order.restore(name, proxy, bean.methods());
		this.unchecked.add(bean);
		// Only this bean, so that no mistake of another bean is thrown here.
		if (this.started && this.unchecked.remove(bean)) {
			check(bean);
		}
	}

	/**
	 * Checks all beans that wait, and whether a later post-processor has put a
	 * transaction around a lock.
	 */
	void start(ConfigurableBeanFactory beans) {
		this.started = true;
		for (LockedBean bean = this.unchecked.poll(); bean != null; bean = this.unchecked.poll()) {
			check(bean);
			if (beans.containsSingleton(bean.name())) {
				this.order.restore(bean.name(), beans.getBean(bean.name()), bean.methods());
			}
		}
	}

	private void check(LockedBean bean) {
		this.interceptor.prepare();
		Redlock lock = this.redlock.getIfUnique();
		for (RedLockSpec spec : bean.specs()) {
			spec.invoker().prepare();
			if (lock != null) {
				check(spec, lock);
			}
		}
	}

	private static void check(RedLockSpec spec, Redlock lock) {
		try {
			lock.check(spec.constants());
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			// The last of several sentences says what to do.
			int advice = message.lastIndexOf(". ") + 1;
			throw (advice > 0)
					? new InvalidRedLockException(spec.method(), "attributes", message.substring(0, advice),
							message.substring(advice + 1), ex)
					: new InvalidRedLockException(spec.method(), "attributes", message + ".",
							"Change the annotation or the redlock.* properties.", ex);
		}
	}

	private record LockedBean(String name, List<RedLockSpec> specs) {

		List<AnnotatedMethod> methods() {
			return this.specs.stream().map(RedLockSpec::method).toList();
		}

	}

}
