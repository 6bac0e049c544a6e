package dev.redlock.memory;

import java.time.Duration;
import java.util.List;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

class InMemoryNodeTests extends LockNodeContract {

	private final ManualTime time = new ManualTime();

	private final InMemoryNode node = new InMemoryNode("a", this.time);

	private final Claim claim = new Claim(List.of("k"), "t", Duration.ofSeconds(10));

	@Override
	protected LockNode node() {
		return this.node;
	}

	@Override
	protected long nowMicros() {
		return this.time.epochMicros();
	}

	@Test
	void aForwardStepOfItsClockExpiresAClaim() {
		this.node.acquire(this.claim, Claim.UNFENCED);
		this.node.stepClock(Duration.ofSeconds(40));
		assertThat(this.node.tokens()).isEmpty();
	}

	@Test
	void forgetLosesLocksAndCounters() {
		this.node.acquire(this.claim, this.time.epochMicros() + 5_000_000);
		this.node.forget();
		assertThat(this.node.tokens()).isEmpty();
		assertThat(vote()).isEqualTo(new Vote.Granted(this.time.epochMicros(), this.time.epochMicros()));
	}

	private Vote vote() {
		return completed(this.node.acquire(this.claim, this.time.epochMicros()));
	}

}
