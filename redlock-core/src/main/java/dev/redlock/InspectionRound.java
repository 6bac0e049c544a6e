package dev.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.LockNode;

/**
 * A round that asks the nodes what they know about one resource.
 */
final class InspectionRound {

	private InspectionRound() {
	}

	/**
	 * Asks the nodes. Thread-safe.
	 * @return completes on the executor for callbacks when each node has answered or
	 * timed out
	 */
	static CompletionStage<Inspection> ask(LockContext context, LockPlan plan, List<LockNode> nodes, String resource) {
		CompletableFuture<Tally> votes = new CompletableFuture<>();
		Round round = new Round(nodes, new Quorum(nodes.size()).majority(), context.loop(), new Round.Listener() {
			@Override
			public void settled(Tally tally) {
				votes.complete(tally);
			}
		});
		String key = plan.keys().get(0);
		if (!context.loop().post(() -> round.ask(plan.nodeTimeout(), (node) -> node.inspect(key)))) {
			votes.complete(round.tally());
		}
		return votes.thenApplyAsync((tally) -> new Inspection(resource, tally.named()), context.callbacks());
	}

}
