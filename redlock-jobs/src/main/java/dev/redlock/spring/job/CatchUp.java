package dev.redlock.spring.job;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;

/**
 * Starts to catch up with missed ticks when the application is ready and enough nodes can
 * vote, and each time that they can vote again. That includes a context that was stopped
 * and is started again. The nodes may be those of a parent context, whose events do not
 * reach this context by themselves.
 */
final class CatchUp implements ApplicationListener<PayloadApplicationEvent<RedlockNodeEvent>>,
		SmartInitializingSingleton, DisposableBean {

	private final ObjectProvider<Redlock> redlock;

	private final JobExtension jobs;

	private final ApplicationContext context;

	private final AtomicBoolean able = new AtomicBoolean();

	private volatile boolean ready;

	CatchUp(ObjectProvider<Redlock> redlock, JobExtension jobs, ApplicationContext context) {
		this.redlock = redlock;
		this.jobs = jobs;
		this.context = context;
	}

	@Override
	public void afterSingletonsInstantiated() {
		parents((parent) -> parent.addApplicationListener(this));
	}

	@Override
	public void destroy() {
		parents((parent) -> parent.removeApplicationListener(this));
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<RedlockNodeEvent> event) {
		look();
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		this.ready = true;
		look();
	}

	@EventListener({ ContextStartedEvent.class, ContextStoppedEvent.class })
	void look() {
		Redlock lock = this.redlock.getIfUnique();
		// The mock of a lock in a test has no nodes, and no status of them.
		boolean now = this.ready && lock != null && !lock.nodes().isEmpty() && lock.quorum().isReached();
		if (!this.able.getAndSet(now) && now) {
			this.jobs.catchUp();
		}
	}

	private void parents(Consumer<ConfigurableApplicationContext> action) {
		for (ApplicationContext each = this.context.getParent(); each != null; each = each.getParent()) {
			if (each instanceof ConfigurableApplicationContext parent) {
				action.accept(parent);
			}
		}
	}

}
