package dev.redlock.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.Vote;

import static dev.redlock.Completed.completed;

/**
 * A connection of a small story. It keeps order, and its events happen when they are told
 * to.
 */
final class Wire implements LockNode {

	private final InMemoryNode node;

	private final Weakness weakness;

	private final Deque<Runnable> requests = new ArrayDeque<>();

	private final Deque<Runnable> replies = new ArrayDeque<>();

	private boolean grantedBefore;

	Wire(InMemoryNode node, Weakness weakness) {
		this.node = node;
		this.weakness = weakness;
	}

	boolean hasRequests() {
		return !this.requests.isEmpty();
	}

	boolean hasReplies() {
		return !this.replies.isEmpty();
	}

	void arrive() {
		this.requests.remove().run();
	}

	void reply() {
		this.replies.remove().run();
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public NodeStatus status() {
		return NodeStatus.READY;
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return send((data) -> {
			if (this.weakness == Weakness.TRIES_ADDED && this.grantedBefore) {
				return new Vote.Granted(fence, 0);
			}
			Vote vote = Weakened.acquire(this.weakness, data, claim, fence);
			this.grantedBefore |= vote instanceof Vote.Granted;
			return vote;
		}, true);
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return send((data) -> Weakened.extend(this.weakness, data, claim, fence), true);
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return send((data) -> completed(data.restore(claim, fence)), true);
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		return send((data) -> completed(data.release(claim, keep, announce)), false);
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return send((data) -> completed(data.inspect(key)), false);
	}

	/** The answer to a release changes nothing, so it does not become an event. */
	private CompletionStage<Vote> send(Function<InMemoryNode, Vote> operation, boolean answerMatters) {
		CompletableFuture<Vote> answer = new CompletableFuture<>();
		this.requests.add(() -> {
			Vote vote = operation.apply(this.node);
			if (answerMatters) {
				this.replies.add(() -> answer.complete(vote));
			}
		});
		return answer;
	}

}
