package dev.redlock.internal.request;

import java.time.Duration;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.lease.HeldLeases;
import dev.redlock.internal.plan.Deadline;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * Builds the outcome of a request that got no lock, with the reason and the votes of the
 * nodes.
 */
final class AttemptFailure {

	private static final String THIS_PROCESS = "this process, which never releases the lock if the holder of the "
			+ "lock waits for this call";

	private static final String THIS_THREAD = "this thread holds the lock already, by acquire() or tryAcquire(): "
			+ "close the lease that the thread has";

	private final HeldLeases leases;

	private final LockPlan plan;

	private final String owner;

	private final Deadline deadline;

	AttemptFailure(HeldLeases leases, LockPlan plan, String owner, Deadline deadline) {
		this.leases = leases;
		this.plan = plan;
		this.owner = owner;
		this.deadline = deadline;
	}

	/**
	 * @param refusal the last refusal of the request, or of a request before it
	 * @param current the votes of the try that is under way
	 */
	LockAttempt report(Reason reason, @Nullable Failed refusal, @Nullable Tally current, int tries) {
		List<NodeVote> votes = votes(refusal, current);
		return LockAttempt.failed(this.plan.resources(), forTicket(reason, votes), votes, tries,
				this.deadline.waited());
	}

	/**
	 * A ticket works once, so a split vote is no reason to try again: either another
	 * owner has taken the lock, or the lock has ended on most nodes.
	 */
	private Reason forTicket(Reason reason, List<NodeVote> votes) {
		if (this.plan.ticket() == null || reason != Reason.SPLIT_VOTE) {
			return reason;
		}
		long held = votes.stream()
			.filter((vote) -> vote.vote() instanceof Vote.Refused refused && refused.why() == Vote.Refusal.HELD)
			.count();
		long refused = votes.stream().filter((vote) -> vote.vote() instanceof Vote.Refused).count();
		return (held > 0 && refused - held < this.plan.majority()) ? Reason.HELD : Reason.TICKET_EXPIRED;
	}

	Reason reason(@Nullable Failed refusal, int tries) {
		if (tries == 0 && this.leases.on(this.plan.keys()) != null) {
			return Reason.HELD;
		}
		return (refusal != null) ? refusal.likelyReason() : Reason.TIMED_OUT;
	}

	LockAttempt heldByThisThread(HeldLease held) {
		return LockAttempt.failed(this.plan.resources(), Reason.HELD, List.of(heldBy(THIS_THREAD, held)), 0,
				Duration.ZERO);
	}

	/**
	 * Thread-safe.
	 */
	LockAttempt unanswered(Reason reason) {
		return LockAttempt.failed(this.plan.resources(), reason, List.of(), 0, this.deadline.waited());
	}

	private List<NodeVote> votes(@Nullable Failed refusal, @Nullable Tally current) {
		if (refusal != null) {
			return refusal.votes().named();
		}
		if (current != null) {
			return current.named();
		}
		HeldLease held = this.leases.on(this.plan.keys());
		return (held != null) ? List.of(heldBy(THIS_PROCESS, held)) : List.of();
	}

	private NodeVote heldBy(String whose, Lease lease) {
		return new NodeVote(whose, new Vote.Refused(Vote.Refusal.HELD, this.owner, lease.remaining(), 0));
	}

}
