package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection;
import dev.redlock.NodeVote;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The state of one resource on the nodes.
 *
 * @param resource its name
 * @param verdict the state on the majority of the nodes
 * @param holder the label of the owner, null if it has none
 * @param remaining how long a majority keeps the lock, null unless it is held
 * @param waiters the number of requests of this application that wait for it
 * @param nodes the answer of each node
 */
record ResourceDescription(String resource, Inspection.Verdict verdict, @Nullable String holder,
		@Nullable Duration remaining, int waiters, List<View> nodes) implements OperationResponseBody {

	static ResourceDescription of(Inspection inspection, int waiters) {
		return new ResourceDescription(inspection.resource(), inspection.verdict(), inspection.holder().orElse(null),
				LockDescription.rounded(inspection.remaining().orElse(null)), waiters,
				inspection.nodes().stream().map(View::of).toList());
	}

	/**
	 * The answer of one node.
	 *
	 * @param name the name of the node
	 * @param says {@code FREE}, {@code HELD} or {@code FAULTED}
	 * @param holder the label of the owner, null if it has none
	 * @param remaining how long the node will keep the resource, null unless it is held
	 * @param fault the fault of the node, null if it answered
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
