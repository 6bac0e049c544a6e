package dev.redlock.spring.autoconfigure.internal.listeners;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Publishes an event of the lock in its application context and in all child contexts,
 * because Spring passes an event only to parent contexts.
 */
public final class RedlockEvents implements Consumer<Object>, ApplicationListener<ApplicationContextEvent> {

	private final ApplicationContext context;

	private final Set<ApplicationContext> children = ConcurrentHashMap.newKeySet();

	public RedlockEvents(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void accept(Object event) {
		this.context.publishEvent(event);
		for (ApplicationContext child : this.children) {
			// The child itself would publish the event in its parent context again.
			child
				.getBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
						ApplicationEventMulticaster.class)
				.multicastEvent(new PayloadApplicationEvent<>(child, event));
		}
	}

	@Override
	public void onApplicationEvent(ApplicationContextEvent event) {
		ApplicationContext changed = event.getApplicationContext();
		if (event instanceof ContextRefreshedEvent && changed != this.context) {
			this.children.add(changed);
		}
		else if (event instanceof ContextClosedEvent) {
			this.children.remove(changed);
		}
	}

}
