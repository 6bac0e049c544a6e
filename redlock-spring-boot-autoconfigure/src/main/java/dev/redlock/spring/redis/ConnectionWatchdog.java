package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a connection is dead. As it answers in order, every answer is a sign of
 * life; only a connection that is not used is asked for one now and then.
 * <p>
 * A connection that has answered nothing for too long is given up. Before that, while its
 * oldest unanswered command is too old, it is <em>behind</em>, and should not be given
 * more to do.
 */
final class ConnectionWatchdog {

	/**
	 * A connection that answered nothing from one such moment to the next is asked for a
	 * sign of life, so about every half minute.
	 */
	private static final Duration IDLE = Duration.ofSeconds(15);

	private static final int BEHIND_IN_OVERDUE = 4;

	private static final Timeout NO_TIMER = () -> {
	};

	private final EventLoop loop;

	private final Ticker ticker;

	private final long overdueNanos;

	private final long behindNanos;

	private final Deque<ServerCommand<?>> unanswered = new ArrayDeque<>();

	private boolean answeredLately;

	private boolean behind;

	private boolean watching;

	/**
	 * What was the oldest the last time, and how often it still was. Times would not do:
	 * a pause of this process is silence of every server.
	 */
	private @Nullable ServerCommand<?> stuck;

	private int stuckLooks;

	private @Nullable Consumer<String> listener;

	private boolean stopped;

	private Timeout idleTimer = NO_TIMER;

	ConnectionWatchdog(EventLoop loop, Ticker ticker, Duration overdue) {
		this.loop = loop;
		this.ticker = ticker;
		this.overdueNanos = overdue.toNanos();
		this.behindNanos = this.overdueNanos / BEHIND_IN_OVERDUE;
	}

	/**
	 * Starts to ask for signs of life.
	 * @param heartbeat asks for one
	 * @param listener is told, perhaps more than once, why the connection is to be given
	 * up
	 */
	void start(Runnable heartbeat, Consumer<String> listener) {
		this.listener = listener;
		heartbeat.run();
		askWhenIdle(heartbeat);
	}

	void stop() {
		this.stopped = true;
		this.listener = null;
		this.unanswered.clear();
		this.idleTimer.cancel();
	}

	/**
	 * Handles what came on the thread of the connection, which may be another one. After
	 * the end of the loop nothing is left that it would protect.
	 */
	void onLoop(Runnable event) {
		if (this.loop.inLoop()) {
			event.run();
			return;
		}
		try {
			this.loop.execute(event);
		}
		catch (RejectedExecutionException ex) {
			event.run();
		}
	}

	long now() {
		return this.ticker.nanoTime();
	}

	/**
	 * Whether the oldest unanswered command is too old for more to be sent.
	 */
	boolean isBehind() {
		return this.behind;
	}

	/**
	 * How long the oldest command that is not answered has been on its way.
	 */
	Duration age() {
		ServerCommand<?> oldest = this.unanswered.peek();
		return Duration.ofNanos((oldest != null) ? now() - oldest.sentNanos() : 0);
	}

	/**
	 * How many commands are not answered.
	 */
	int unanswered() {
		return this.unanswered.size();
	}

	void sent(ServerCommand<?> command) {
		this.unanswered.add(command);
		if (!this.watching) {
			this.watching = true;
			lookAfter(this.behindNanos);
		}
	}

	/**
	 * Whatever is older was lost on the way, or it would have been answered before.
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
	 * A command will not be answered any more.
	 */
	void withdrawn(ServerCommand<?> command) {
		this.unanswered.remove(command);
	}

	void lost() {
		tell("The connection was lost");
	}

	private void tell(String why) {
		Consumer<String> told = this.listener;
		if (told != null) {
			told.accept(why);
		}
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
			tell("No answer for " + age / 1_000_000 + " ms");
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
