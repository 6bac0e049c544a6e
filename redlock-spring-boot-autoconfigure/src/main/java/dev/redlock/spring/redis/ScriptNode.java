package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.Claim;
import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;

/**
 * A node each of whose operations is one script, or one for each slot of a cluster. It
 * votes only while it is ready.
 */
abstract class ScriptNode implements SupervisedNode {

	private final String name;

	private final Ticker ticker;

	private final StandingBoard board;

	ScriptNode(String name, Ticker ticker, NodeListener listener) {
		this.name = name;
		this.ticker = ticker;
		this.board = new StandingBoard(name, ticker, listener);
	}

	/**
	 * Runs a script on the server, if there is a connection to it.
	 * @param standing how the node stood when the operation was called
	 */
	abstract CompletionStage<Vote> run(Standing standing, LockScript script, List<String> keys, String token,
			long millis, long fence);

	final StandingBoard board() {
		return this.board;
	}

	@Override
	public final CompletionStage<Void> firstVerdict() {
		return this.board.firstVerdict();
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public final NodeStatus status() {
		return this.board.now().status(this.ticker.nanoTime());
	}

	@Override
	public final CompletionStage<Vote> acquire(Claim claim, long fence) {
		return vote(LockScript.ACQUIRE, claim, fence);
	}

	@Override
	public final CompletionStage<Vote> raise(Claim claim, long fence) {
		return vote(LockScript.RAISE, claim, fence);
	}

	@Override
	public final CompletionStage<Vote> extend(Claim claim, long fence) {
		return vote(LockScript.EXTEND, claim, fence);
	}

	@Override
	public final CompletionStage<Vote> plant(Claim claim, long fence) {
		return vote(LockScript.PLANT, claim, fence);
	}

	@Override
	public final CompletionStage<Vote> transfer(Claim former, Claim claim, long fence) {
		int length = former.token().getBytes(StandardCharsets.UTF_8).length;
		String both = length + ":" + former.token() + claim.token();
		return vote(LockScript.TRANSFER, new Claim(claim.keys(), both, claim.ttl()), fence);
	}

	@Override
	public final CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		// Sent in every state that has a connection: a node that may not vote may still
		// hold a key that is to go.
		return run(this.board.now(), LockScript.RELEASE, claim.keys(), claim.token(), keep.toMillis(),
				announce ? 1 : 0);
	}

	@Override
	public final CompletionStage<Vote> inspect(String key) {
		return run(this.board.now(), LockScript.INSPECT, List.of(key), "", 0, 0);
	}

	private CompletionStage<Vote> vote(LockScript script, Claim claim, long fence) {
		Standing standing = this.board.now();
		if (!standing.allows(script)) {
			return CompletableFuture.completedFuture(standing.denial());
		}
		return run(standing, script, claim.keys(), claim.token(), claim.ttl().toMillis(), fence);
	}

}
