package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RoundTests {

	private final ManualTime time = new ManualTime();

	/** A stage keeps what its actions throw, and no code looks at that of a vote. */
	@Test
	void whatIsThrownWhileAVoteIsCountedReachesTheLoop() {
		CompletableFuture<Vote> vote = new CompletableFuture<>();
		Round round = new Round(List.of(new InMemoryNode("a", this.time)), 1, this.time, (tally) -> {
			throw new IllegalStateException("a bug");
		});
		this.time.execute(() -> round.ask(Duration.ofSeconds(1), (node) -> vote));
		assertThatIllegalStateException().isThrownBy(() -> this.time.execute(() -> vote.complete(Granted.PLAIN)))
			.withMessage("a bug");
	}

}
