package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FenceProposalsTests {

	/** A quarter of the largest ttl, which is 30 seconds. */
	private static final long MOST_AHEAD = 7_500_000;

	private final ManualTime time = new ManualTime();

	private final List<LockNode> nodes = List.of(node("a"), node("b"), node("c"));

	private final FenceProposals fences = new FenceProposals(this.time, RedlockSettings.DEFAULTS);

	@Test
	void withoutVotesAProposalIsTheTimeOfThisProcess() {
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros());
		this.time.advance(Duration.ofMillis(3));
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros());
	}

	@Test
	void proposalsWithinOneMicrosecondRise() {
		long first = this.fences.next();
		assertThat(this.fences.next()).isEqualTo(first + 1);
		assertThat(this.fences.next()).isEqualTo(first + 2);
	}

	@Test
	void aProposalIsAboveEachFenceSeen() {
		long seen = this.time.epochMicros() + 5_000;
		this.fences.saw(seen);
		this.fences.saw(seen - 1);
		assertThat(this.fences.next()).isEqualTo(seen + 1);
	}

	@Test
	void aFenceFarAheadOfAllClocksIsNotFollowed() {
		this.fences.saw(this.time.epochMicros() + MOST_AHEAD - 1);
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + MOST_AHEAD);
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + MOST_AHEAD);
	}

	@Test
	void aProposalFollowsTheMedianClockOfTheNodes() {
		learn(granted(1_000), granted(20), granted(-70));
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + 20);
	}

	@Test
	void ofTwoClocksTheOneBehindCounts() {
		learn(granted(1_000), granted(20), null);
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + 20);
	}

	@Test
	void aFaultThatTellsTheTimeTeachesItAndAVoteWithoutATimeTeachesNothing() {
		learn(new Faulted(Fault.CLOCK, "ahead", false, this.time.epochMicros() + 500),
				Refused.because(Vote.Refusal.HELD), new Granted(Claim.UNFENCED, 0));
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + 500);
	}

	@Test
	void theLastVoteOfANodeCounts() {
		learn(granted(1_000), granted(1_000), granted(1_000));
		learn(granted(10), granted(20), null);
		assertThat(this.fences.next()).isEqualTo(this.time.epochMicros() + 20);
	}

	private Granted granted(long aheadMicros) {
		return new Granted(1, this.time.epochMicros() + aheadMicros);
	}

	private void learn(@Nullable Vote... votes) {
		this.fences.learn(new Tally(this.nodes, Arrays.asList(votes), 2));
	}

	private InMemoryNode node(String name) {
		return new InMemoryNode(name, this.time);
	}

}
