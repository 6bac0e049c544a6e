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
 * The state of one locked resource or permit group on the nodes.
 * 
 * @param resource the name of the resource
 * @param verdict the state of the resource on a majority of the nodes. With permits, free
 * if one permit is free, and held if all permits are held
 * @param holder the label of the lock's owner, null if the owner has no label
 * @param remaining how much longer a majority keeps the lock, null unless the lock is
 * held
 * @param waiters how many requests of this application process wait for the resource
 * @param nodes the answer of each node, null for a resource with permits
 * @param held how many permits are held, null for a lock
 * @param permits the state of each permit, null for a lock
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
	 * The state of one permit on the nodes.
	 * 
	 * @param resource the resource name of the permit, for requests to the endpoint
	 * @param verdict the state of the permit on a majority of the nodes
	 * @param holder the label of the permit's owner, null if the owner has no label
	 * @param remaining how much longer a majority keeps the permit, null unless the
	 * permit is held
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
	 * @param name the name of the node
	 * @param says the state of the resource on the node: {@code FREE}, {@code HELD} or
	 * {@code FAULTED}
	 * @param holder the label of the lock's owner, null if the owner has no label
	 * @param remaining how much longer the node keeps the lock, null unless the lock is
	 * held
	 * @param fault why the node gave no usable answer, null if the node answered
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
