package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of one connection. As it answers in order, every answer is one, and a
 * connection that is used needs no others; one that nobody uses is asked for them now and
 * then.
 * <p>
 * A connection that answers nothing any more while it is asked is given up. Before that,
 * while one question is too old, it is <em>behind</em>, and should not be given more to
 * do.
 */
final class Pulse {

	/**
	 * A connection that answered nothing from one such moment to the next is asked for a
	 * sign of life, so about every half minute.
	 */
	private static final Duration IDLE = Duration.ofSeconds(15);

	private static final int BEHIND_IN_OVERDUE = 4;

	private static final Consumer<String> NOBODY = (why) -> {
	};

	private final Scheduler scheduler;

	private final Executor thread;

	private final Ticker ticker;

	private final long overdueNanos;

	private final long behindNanos;

	/**
	 * What was written and is not answered yet, as a chain. Only the I/O thread changes
	 * it.
	 */
	private volatile @Nullable LinkCommand<?> oldest;

	private @Nullable LinkCommand<?> youngest;

	private volatile boolean heard;

	private volatile boolean behind;

	private final AtomicBoolean watching = new AtomicBoolean();

	/**
	 * What was the oldest the last time, and how often it still was. Times would not do:
	 * a pause of this process is silence of every server.
	 */
	private @Nullable LinkCommand<?> stuck;

	private int stuckLooks;

	private volatile Consumer<String> listener = NOBODY;

	private volatile boolean stopped;

	private volatile Scheduler.@Nullable Timeout idleTimer;

	Pulse(Scheduler scheduler, Executor thread, Ticker ticker, Duration overdue) {
		this.scheduler = scheduler;
		this.thread = thread;
		this.ticker = ticker;
		this.overdueNanos = overdue.toNanos();
		this.behindNanos = this.overdueNanos / BEHIND_IN_OVERDUE;
	}

	/**
	 * Starts to ask for signs of life.
	 * @param beat asks for one
	 * @param listener is told, perhaps more than once, why the connection is to be given
	 * up
	 */
	void start(Runnable beat, Consumer<String> listener) {
		this.listener = listener;
		beat.run();
		lookLater(beat);
	}

	void stop() {
		this.stopped = true;
		this.listener = NOBODY;
		Scheduler.Timeout timer = this.idleTimer;
		if (timer != null) {
			timer.cancel();
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
		LinkCommand<?> command = this.oldest;
		return Duration.ofNanos((command != null) ? now() - command.calledNanos() : 0);
	}

	void written(LinkCommand<?> command) {
		LinkCommand<?> before = this.youngest;
		this.youngest = command;
		if (before != null) {
			before.followedBy(command);
			return;
		}
		this.oldest = command;
		watch();
	}

	void answered(LinkCommand<?> command) {
		LinkCommand<?> next = this.oldest;
		// Whatever is older was lost on the way, or it would have been answered before.
		for (LinkCommand<?> gone = null; next != null && gone != command;) {
			gone = next;
			next = gone.leave();
		}
		this.oldest = next;
		if (next == null) {
			this.youngest = null;
		}
		if (!this.heard) {
			this.heard = true;
		}
		if (this.behind) {
			this.behind = next != null && now() - next.calledNanos() >= this.behindNanos;
		}
	}

	void lost() {
		this.listener.accept("The connection was lost");
	}

	private void watch() {
		if (this.watching.compareAndSet(false, true)) {
			lookAfter(this.behindNanos);
		}
	}

	/**
	 * Looks on the I/O thread, behind the answers that have come by then: after a pause
	 * of this process they are all there, and only not seen.
	 */
	private void lookAfter(long nanos) {
		this.scheduler.schedule(Duration.ofNanos(nanos), () -> {
			if (this.stopped) {
				return;
			}
			try {
				this.thread.execute(this::look);
			}
			catch (RejectedExecutionException ex) {
				// Everything is being closed.
				this.stopped = true;
			}
		});
	}

	private void look() {
		LinkCommand<?> command = this.oldest;
		if (command == null) {
			this.stuck = null;
			this.behind = false;
			this.watching.set(false);
			if (this.oldest != null) {
				watch();
			}
			return;
		}
		long age = now() - command.calledNanos();
		this.behind = age >= this.behindNanos;
		this.stuckLooks = (command == this.stuck) ? this.stuckLooks + 1 : 0;
		this.stuck = command;
		if (age >= this.overdueNanos && this.stuckLooks >= BEHIND_IN_OVERDUE - 1) {
			this.listener.accept("No answer for " + age / 1_000_000 + " ms");
		}
		lookAfter(this.behind ? this.behindNanos : this.behindNanos - Math.max(0, age));
	}

	private void lookLater(Runnable beat) {
		this.idleTimer = this.scheduler.schedule(IDLE, () -> {
			if (this.stopped) {
				return;
			}
			boolean idle = !this.heard && this.oldest == null;
			this.heard = false;
			if (idle) {
				beat.run();
			}
			lookLater(beat);
		});
		if (this.stopped) {
			stop();
		}
	}

}
