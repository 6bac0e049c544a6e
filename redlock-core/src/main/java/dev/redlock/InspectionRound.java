package dev.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.LockNode;

/**
 * A round that asks the nodes what they know about one resource.
 */
final class InspectionRound implements Round.Listener {

	private final LockContext context;

	private final LockPlan plan;

	private final Round round;

	private final CompletableFuture<Tally> votes = new CompletableFuture<>();

	InspectionRound(LockContext context, LockPlan plan, List<LockNode> nodes) {
		this.context = context;
		this.plan = plan;
		this.round = new Round(nodes, new Quorum(nodes.size()).majority(), context.loop(), this);
	}

	/**
	 * Asks the nodes. Thread-safe.
	 * @return completes on the executor for callbacks when each node has answered or
	 * timed out
	 */
	CompletionStage<Inspection> run(String resource) {
		String key = this.plan.keys().get(0);
		if (!this.context.loop().post(() -> this.round.ask(this.plan.nodeTimeout(), (node) -> node.inspect(key)))) {
			this.votes.complete(this.round.tally());
		}
		return this.votes.thenApplyAsync((tally) -> new Inspection(resource, tally.named()), this.context.callbacks());
	}

	@Override
	public void settled(Tally tally) {
		this.votes.complete(tally);
	}

}
