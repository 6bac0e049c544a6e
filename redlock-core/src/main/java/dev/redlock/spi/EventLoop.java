package dev.redlock.spi;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The one thread that owns the state of a {@code Redlock}. Everything that happens to the
 * client is an event on this thread: a request, an answer of a node, a timer. Each event
 * is handled completely before the next one begins, so the state needs no
 * synchronization.
 * <p>
 * Events never block. User code never runs on this thread, except a listener that
 * measures how late its timers run, and what the application adds to the Redis client,
 * such as a recorder of latencies.
 */
public interface EventLoop extends Executor, Scheduler {

	/**
	 * Returns whether the caller runs in an event of this loop.
	 */
	boolean inLoop();

	/**
	 * Handles an event soon, after all earlier events. If the caller runs on the loop,
	 * the event is never handled within this call.
	 * @throws RejectedExecutionException if the loop has ended
	 */
	@Override
	void execute(Runnable event);

	/**
	 * Handles an event now if the caller runs on this loop, otherwise soon. An exception
	 * of the event is thrown again in a later event, because the caller may discard
	 * exceptions.
	 * @return false if the loop has ended and the event is not handled
	 */
	default boolean run(Runnable event) {
		if (!inLoop()) {
			return post(event);
		}
		try {
			event.run();
		}
		catch (RuntimeException | Error ex) {
			post(() -> {
				throw ex;
			});
		}
		return true;
	}

	/**
	 * Handles an event like {@link #execute}, but returns false instead of throwing.
	 * @return false if the loop has ended and the event is not handled
	 */
	default boolean post(Runnable event) {
		try {
			execute(event);
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

}
