package dev.redlock.lettuce.internal.connection;

import java.time.Duration;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler;

/**
 * An event loop whose timers are those of a test.
 *
 * @param events where events are handled
 * @param timers runs what is to happen later, on the same loop
 */
public record LoopWithTimers(EventLoop events, Scheduler timers) implements EventLoop {

	@Override
	public boolean inLoop() {
		return this.events.inLoop();
	}

	@Override
	public void execute(Runnable event) {
		this.events.execute(event);
	}

	@Override
	public Timeout schedule(Duration delay, Runnable task) {
		return this.timers.schedule(delay, task);
	}

}
