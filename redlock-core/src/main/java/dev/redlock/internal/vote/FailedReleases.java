package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import dev.redlock.internal.vote.Releases.ReleaseCommand;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends the releases that failed on one node again, with growing delays. The number of
 * unanswered releases is limited, so that thousands of releases do not overload the node.
 */
final class FailedReleases {

	private static final Duration FIRST_DELAY = Duration.ofMillis(100);

	private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

	private static final int MOST_UNANSWERED = 1_000;

	/**
	 * Beyond this number of failed releases for one node, locks end only by their ttl.
	 */
	private static final int MOST_WAITING = 100_000;

	private final Releases releases;

	private final EventLoop loop;

	private final LockNode node;

	private final Deque<ReleaseCommand> waiting = new ArrayDeque<>();

	private Duration delay = FIRST_DELAY;

	private Timeout timer = Timeout.NONE;

	private int unanswered;

	private boolean sending;

	FailedReleases(Releases releases, EventLoop loop, LockNode node) {
		this.releases = releases;
		this.loop = loop;
		this.node = node;
	}

	void add(ReleaseCommand release) {
		if (this.waiting.size() < MOST_WAITING) {
			this.waiting.add(release);
		}
		if (this.timer == Timeout.NONE) {
			this.timer = this.loop.schedule(this.releases.isHurried() ? FIRST_DELAY : this.delay, this::sendNow);
			Duration doubled = this.delay.multipliedBy(2);
			this.delay = (doubled.compareTo(LONGEST_DELAY) < 0) ? doubled : LONGEST_DELAY;
		}
	}

	void sendNow() {
		this.timer.cancel();
		this.timer = Timeout.NONE;
		if (!this.sending) {
			this.sending = true;
			sendUntilOneFails();
			this.sending = false;
			if (this.waiting.isEmpty() && this.unanswered == 0) {
				this.releases.removeNodeWithoutFailures(this.node);
			}
		}
	}

	private void sendUntilOneFails() {
		ReleaseCommand next = nextDue();
		while (next != null) {
			ReleaseCommand sent = next;
			this.unanswered++;
			this.releases.repeat(sent, this.node, (fails) -> answered(sent, fails));
			next = nextDue();
		}
	}

	private @Nullable ReleaseCommand nextDue() {
		boolean pauses = this.timer != Timeout.NONE || this.unanswered >= MOST_UNANSWERED;
		ReleaseCommand next = pauses ? null : this.waiting.poll();
		while (next != null && !this.releases.isDue(next, this.node)) {
			next = this.waiting.poll();
		}
		return next;
	}

	private void answered(ReleaseCommand release, boolean fails) {
		this.unanswered--;
		if (fails) {
			add(release);
		}
		else {
			this.delay = FIRST_DELAY;
			sendNow();
		}
	}

}
