package dev.redlock.internal.vote;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;

/**
 * Passes a lock on within this process, without a release command. The acquire command of
 * the next request names the lease as its predecessor, so a node that grants or refuses
 * the request has released the lease too.
 */
public final class HandOver {

	private final Predecessor predecessor;

	private final Map<LockNode, CompletableFuture<Vote>> votes = new HashMap<>();

	HandOver(Predecessor predecessor, List<LockNode> nodes) {
		this.predecessor = predecessor;
		nodes.forEach((node) -> this.votes.put(node, new CompletableFuture<>()));
	}

	Predecessor predecessor() {
		return this.predecessor;
	}

	/**
	 * Completes with the vote of the node on the next request.
	 */
	CompletionStage<Vote> voteOf(LockNode node) {
		return future(node);
	}

	void voted(LockNode node, Vote vote) {
		future(node).complete(vote);
	}

	private CompletableFuture<Vote> future(LockNode node) {
		return Objects.requireNonNull(this.votes.get(node));
	}

}
