package dev.redlock.spring.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Redlock;
import dev.redlock.spring.interceptor.RedLockBeanPostProcessor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;

/**
 * Starts to catch up with missed ticks when the application is ready and enough nodes can
 * vote, and each time that they can vote again. That includes a context that was stopped
 * and is started again.
 */
final class CatchUp {

	private final ObjectProvider<Redlock> redlock;

	private final RedLockBeanPostProcessor jobs;

	private final AtomicBoolean able = new AtomicBoolean();

	private volatile boolean ready;

	CatchUp(ObjectProvider<Redlock> redlock, RedLockBeanPostProcessor jobs) {
		this.redlock = redlock;
		this.jobs = jobs;
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		this.ready = true;
		look();
	}

	@EventListener({ RedlockNodeEvent.class, ContextStartedEvent.class, ContextStoppedEvent.class })
	void look() {
		Redlock lock = this.redlock.getIfUnique();
		// The mock of a lock in a test has no nodes, and no status of them.
		boolean now = this.ready && lock != null && !lock.nodes().isEmpty() && lock.quorum().isReached();
		if (!this.able.getAndSet(now) && now) {
			this.jobs.catchUp();
		}
	}

}
