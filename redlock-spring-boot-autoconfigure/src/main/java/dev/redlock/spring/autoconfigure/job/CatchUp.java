package dev.redlock.spring.autoconfigure.job;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Starts to catch up with missed ticks when the application is ready and enough nodes can
 * vote, and each time that they can vote again.
 */
final class CatchUp {

	private final Redlock redlock;

	private final Runnable catchUp;

	private final AtomicBoolean able = new AtomicBoolean();

	private volatile boolean ready;

	CatchUp(Redlock redlock, Runnable catchUp) {
		this.redlock = redlock;
		this.catchUp = catchUp;
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		this.ready = true;
		look();
	}

	@EventListener(RedlockNodeEvent.class)
	void look() {
		boolean now = this.ready && this.redlock.quorum().margin() >= 0;
		if (!this.able.getAndSet(now) && now) {
			this.catchUp.run();
		}
	}

}
