package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.Vote;

/**
 * A node that a test must not ask anything but what it overrides.
 */
class UnaskedNode implements LockNode {

	@Override
	public String name() {
		return "a";
	}

	@Override
	public NodeStatus status() {
		return NodeStatus.READY;
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		throw new UnsupportedOperationException();
	}

}
