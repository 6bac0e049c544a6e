package dev.redlock.spring.endpoint;

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
 * One resource as the nodes see it.
 *
 * @param resource its name
 * @param verdict what the majority says
 * @param holder the label of the owner, null if nobody left one
 * @param remaining how long a majority will go on holding it, null unless it is held
 * @param waiters how many requests of this instance wait for it
 * @param nodes what each node says
 */
record ResourceDescription(String resource, Inspection.Verdict verdict, @Nullable String holder,
		@Nullable Duration remaining, int waiters, List<View> nodes) implements OperationResponseBody {

	static ResourceDescription of(Inspection inspection, int waiters) {
		return new ResourceDescription(inspection.resource(), inspection.verdict(), inspection.holder().orElse(null),
				LockDescription.rounded(inspection.remaining().orElse(null)), waiters,
				inspection.nodes().stream().map(View::of).toList());
	}

	/**
	 * What one node says.
	 *
	 * @param name the name of the node
	 * @param says whether the resource is free or held there, or that the node is at
	 * fault
	 * @param holder the label of the owner, null if it left none
	 * @param remaining how long the node will keep the resource, null unless it is held
	 * @param fault what is wrong with the node, null unless it is at fault
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
