package dev.redlock;

import java.time.Duration;
import java.util.List;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Says why a request ended without a lease.
 */
final class AttemptFailure {

	private static final String THIS_THREAD = "this thread holds the lock already, by acquire() or tryAcquire(): close "
			+ "that lease first";

	private final KeyQueues queues;

	private final LockPlan plan;

	private final String owner;

	private final Deadline deadline;

	/**
	 * The failure of one request.
	 * @param owner the label of this process
	 */
	AttemptFailure(KeyQueues queues, LockPlan plan, String owner, Deadline deadline) {
		this.queues = queues;
		this.plan = plan;
		this.owner = owner;
		this.deadline = deadline;
	}

	/**
	 * The end of the request, with what the nodes told.
	 * @param last the last try that has ended, if one has
	 * @param current the try that is under way or was last, if there was one
	 */
	LockAttempt report(Reason reason, @Nullable TryResult last, @Nullable Acquisition current, int tries) {
		return LockAttempt.failed(this.plan.resources(), reason, votes(refusal(last, tries), current), tries,
				this.deadline.waited());
	}

	/**
	 * Why the request has no lease when its time is over.
	 */
	Reason reason(@Nullable TryResult last, int tries) {
		if (tries == 0 && this.queues.holderOf(this.plan.keys()) != null) {
			return Reason.HELD;
		}
		TryResult refusal = refusal(last, tries);
		Reason reason = (refusal != null) ? refusal.latestReason() : null;
		return (reason != null) ? reason : Reason.TIMED_OUT;
	}

	/**
	 * The end of a request whose own thread holds the lock.
	 */
	LockAttempt heldByThisThread(QueuePlace holder) {
		return LockAttempt.failed(this.plan.resources(), Reason.HELD, List.of(heldBy(THIS_THREAD, holder)), 0,
				Duration.ZERO);
	}

	/**
	 * An end of which no more is known than its reason. Thread-safe.
	 */
	LockAttempt unanswered(Reason reason) {
		return LockAttempt.failed(this.plan.resources(), reason, List.of(), 0, this.deadline.waited());
	}

	private List<NodeVote> votes(@Nullable TryResult refusal, @Nullable Acquisition current) {
		if (refusal != null) {
			return refusal.latestVotes().named();
		}
		if (current != null) {
			return current.votes().named();
		}
		QueuePlace holder = this.queues.holderOf(this.plan.keys());
		return (holder != null) ? List.of(heldBy("this process", holder)) : List.of();
	}

	/**
	 * What the nodes told this request; before its first try, what they told the one
	 * before it.
	 */
	private @Nullable TryResult refusal(@Nullable TryResult last, int tries) {
		return (tries > 0) ? last : this.queues.lastRefusal(this.plan.keys());
	}

	private NodeVote heldBy(String whose, QueuePlace holder) {
		return NodeVote.held(whose, this.owner, holder.remaining());
	}

}
