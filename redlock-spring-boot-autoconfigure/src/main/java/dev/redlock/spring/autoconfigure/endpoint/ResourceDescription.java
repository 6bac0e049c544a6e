package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection;
import dev.redlock.Inspection.Verdict;
import dev.redlock.NodeVote;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of one locked resource, or of a semaphore with several permits, on the nodes.
 *
 * @param verdict the state of the resource on a majority of the nodes; for a semaphore,
 * FREE if one permit is free, HELD if all permits are held
 */
record ResourceDescription(String resource, Verdict verdict, @Nullable String holder, @Nullable Duration remaining,
		int waiters, @Nullable List<View> nodes, @Nullable Long held,
		@Nullable List<Permit> permits) implements OperationResponseBody {

	static ResourceDescription of(Inspection inspection, int waiters, List<Inspection> permits) {
		if (!permits.isEmpty()) {
			long held = permits.stream().filter((permit) -> permit.verdict() == Verdict.HELD).count();
			boolean free = permits.stream().anyMatch((permit) -> permit.verdict() == Verdict.FREE);
			Verdict verdict = (held == permits.size()) ? Verdict.HELD : Verdict.UNKNOWN;
			return new ResourceDescription(inspection.resource(), free ? Verdict.FREE : verdict, null, null, waiters,
					null, held, permits.stream().map(Permit::of).toList());
		}
		return new ResourceDescription(inspection.resource(), inspection.verdict(), inspection.holder().orElse(null),
				LockDescription.rounded(inspection.remaining().orElse(null)), waiters,
				inspection.nodes().stream().map(View::of).toList(), null, null);
	}

	/**
	 * The state of one permit of a semaphore on the nodes.
	 *
	 * @param resource the name of the permit, which requests to the endpoint may use
	 */
	record Permit(String resource, Verdict verdict, @Nullable String holder, @Nullable Duration remaining) {

		static Permit of(Inspection permit) {
			return new Permit(permit.resource(), permit.verdict(), permit.holder().orElse(null),
					LockDescription.rounded(permit.remaining().orElse(null)));
		}

	}

	/**
	 * The answer of one node about a resource.
	 *
	 * @param says {@code FREE}, {@code HELD}, or {@code FAULTED} if the node gave no
	 * usable answer
	 */
	record View(String name, String says, @Nullable String holder, @Nullable Duration remaining,
			@Nullable String fault) {

		static View of(NodeVote answer) {
			Vote vote = answer.vote();
			if (vote instanceof Refused refused) {
				return new View(answer.node(), "HELD", refused.holder(), LockDescription.rounded(refused.remaining()),
						null);
			}
			if (vote instanceof Faulted faulted) {
				return new View(answer.node(), "FAULTED", null, null, faulted.fault() + ": " + faulted.detail());
			}
			return new View(answer.node(), "FREE", null, null, null);
		}

	}

}
