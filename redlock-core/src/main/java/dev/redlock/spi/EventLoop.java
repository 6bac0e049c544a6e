package dev.redlock.spi;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The one thread that owns the state of a lock. Everything that happens to the lock is an
 * event on it: a request, an answer of a node, a timer. Each event is handled to its end
 * before the next one begins, so that nothing of that state needs a lock.
 * <p>
 * Events never block, and code of users never runs here.
 */
public interface EventLoop extends Executor, Scheduler {

	/**
	 * Whether the caller runs on this loop, that is, in one of its events.
	 * @return whether it does
	 */
	boolean inLoop();

	/**
	 * Handles an event soon, behind all that came before it. Never within this call if
	 * the caller runs on the loop itself.
	 * @param event what to do
	 * @throws RejectedExecutionException if the loop has ended
	 */
	@Override
	void execute(Runnable event);

	/**
	 * Handles an event now if the caller runs on this loop, otherwise soon.
	 * @param event what to do
	 * @return false if the loop has ended and the event is not handled
	 */
	default boolean run(Runnable event) {
		if (!inLoop()) {
			return post(event);
		}
		event.run();
		return true;
	}

	/**
	 * As {@link #execute}, without an exception.
	 * @param event what to do
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
