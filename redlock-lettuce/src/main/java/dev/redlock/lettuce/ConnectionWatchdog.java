package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a connection is dead. Every answer shows that it is alive. Only an idle
 * connection needs a heartbeat now and then.
 * <p>
 * A connection that answers nothing for too long is reported as lost. Before that, while
 * its oldest unanswered command is too old, it is <em>behind</em> and gets no new locks
 * to acquire.
 */
final class ConnectionWatchdog {

	/**
	 * A connection that answered nothing between two checks at this interval gets a
	 * heartbeat, so about every half minute.
	 */
	private static final Duration IDLE = Duration.ofSeconds(15);

	private static final int BEHIND_IN_OVERDUE = 4;

	private final EventLoop loop;

	private final Ticker ticker;

	private final long overdueNanos;

	private final long behindNanos;

	private final Deque<ServerCommand<?>> unanswered = new ArrayDeque<>();

	private boolean answeredLately;

	private boolean behind;

	private boolean watching;

	/**
	 * The oldest unanswered command at the last look, and the number of looks that found
	 * it again. Times alone do not suffice: while this process pauses, each server seems
	 * silent.
	 */
	private @Nullable ServerCommand<?> stuck;

	private int stuckLooks;

	private Consumer<String> listener = NodeConnection.NO_LISTENER;

	private boolean stopped;

	private Timeout idleTimer = Timeout.NONE;

	ConnectionWatchdog(EventLoop loop, Ticker ticker, Duration overdue) {
		this.loop = loop;
		this.ticker = ticker;
		this.overdueNanos = overdue.toNanos();
		this.behindNanos = this.overdueNanos / BEHIND_IN_OVERDUE;
	}

	/**
	 * Starts to watch.
	 * @param heartbeat sends a command that any live server answers
	 * @param listener receives the reason, perhaps more than once, why the connection
	 * must be closed
	 */
	void start(Runnable heartbeat, Consumer<String> listener) {
		this.listener = listener;
		heartbeat.run();
		askWhenIdle(heartbeat);
	}

	void stop() {
		this.stopped = true;
		this.listener = NodeConnection.NO_LISTENER;
		this.unanswered.clear();
		this.idleTimer.cancel();
	}

	/**
	 * Runs an event on the loop, because the connection may have a thread of its own.
	 */
	void onLoop(Runnable event) {
		HelperThreads.post(this.loop, event);
	}

	long now() {
		return this.ticker.nanoTime();
	}

	/**
	 * Whether the oldest unanswered command is too old to send new acquires.
	 */
	boolean isBehind() {
		return this.behind;
	}

	/**
	 * Returns the age of the oldest unanswered command.
	 */
	Duration age() {
		ServerCommand<?> oldest = this.unanswered.peek();
		return Duration.ofNanos((oldest != null) ? now() - oldest.sentNanos() : 0);
	}

	/**
	 * Returns the number of unanswered commands.
	 */
	int unanswered() {
		return this.unanswered.size();
	}

	/**
	 * Whether an unanswered command is of this kind.
	 */
	boolean awaits(Predicate<ServerCommand<?>> kind) {
		return this.unanswered.stream().anyMatch(kind);
	}

	void sent(ServerCommand<?> command) {
		this.unanswered.add(command);
		if (!this.watching) {
			this.watching = true;
			lookAfter(this.behindNanos);
		}
	}

	/**
	 * Forgets a command and all older ones. Those were lost, because answers come in
	 * order.
	 */
	void answered(ServerCommand<?> command) {
		ServerCommand<?> gone = this.unanswered.poll();
		while (gone != null && gone != command) {
			gone = this.unanswered.poll();
		}
		this.answeredLately = true;
		if (this.behind) {
			this.behind = !this.unanswered.isEmpty() && age().toNanos() >= this.behindNanos;
		}
	}

	/**
	 * Forgets a command that gets no answer.
	 */
	void withdrawn(ServerCommand<?> command) {
		this.unanswered.remove(command);
	}

	void lost() {
		this.listener.accept("The connection was lost");
	}

	private void lookAfter(long nanos) {
		this.loop.schedule(Duration.ofNanos(nanos), this::look);
	}

	private void look() {
		ServerCommand<?> oldest = this.unanswered.peek();
		if (oldest == null || this.stopped) {
			this.stuck = null;
			this.behind = false;
			this.watching = false;
			return;
		}
		long age = now() - oldest.sentNanos();
		this.behind = age >= this.behindNanos;
		this.stuckLooks = (oldest == this.stuck) ? this.stuckLooks + 1 : 0;
		this.stuck = oldest;
		if (age >= this.overdueNanos && this.stuckLooks >= BEHIND_IN_OVERDUE - 1) {
			this.listener.accept("No answer for " + age / 1_000_000 + " ms");
		}
		lookAfter(this.behind ? this.behindNanos : this.behindNanos - Math.max(0, age));
	}

	private void askWhenIdle(Runnable heartbeat) {
		this.idleTimer = this.loop.schedule(IDLE, () -> {
			if (this.stopped) {
				return;
			}
			boolean idle = !this.answeredLately && this.unanswered.isEmpty();
			this.answeredLately = false;
			if (idle) {
				heartbeat.run();
			}
			askWhenIdle(heartbeat);
		});
	}

}
