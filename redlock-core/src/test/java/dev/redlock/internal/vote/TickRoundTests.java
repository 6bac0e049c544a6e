package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.RedlockSettings;
import dev.redlock.Tick;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.RequestNotifier;
import dev.redlock.internal.plan.Tokens;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a round about a tick has a verdict, vote by vote. The node timeout is 500 ms.
 */
class TickRoundTests {

	private static final Vote TAKEN = Refused.because(Refusal.TAKEN);

	private static final Vote LOST = Refused.because(Refusal.LOST);

	private static final Vote GRANTED = Granted.PLAIN;

	private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

	private final ManualTime time = new ManualTime();

	private final List<CompletableFuture<Vote>> asked = new ArrayList<>();

	private final List<@Nullable FailedFor> results = new ArrayList<>();

	private final RedlockSettings settings = RedlockSettings.builder().nodeTimeout(NODE_TIMEOUT).build();

	private final LockContext context = new LockContext(this.settings, this.time, this.time, new SplittableRandom(1),
			new Callbacks(Runnable::run), List.of(), new Tokens(new SplittableRandom(1), ""),
			new FenceProposals(this.time, this.settings), new Releases(this.time, this.time), new RoundTimes(),
			new Permits(this.time, new SplittableRandom(1)));

	@Test
	void aLookEndsWithTheVoteThatMakesAMajorityCallTheTickTaken() {
		look(5);
		vote(TAKEN, TAKEN);
		assertThat(this.results).isEmpty();
		vote(TAKEN);
		assertThat(reason()).isEqualTo(Reason.TICK_TAKEN);
	}

	@Test
	void aLookEndsAsSoonAsAMajorityCannotCallTheTickTaken() {
		look(5);
		vote(LOST, LOST);
		assertThat(this.results).isEmpty();
		vote(LOST);
		assertThat(reason()).isNotIn(Reason.TICK_TAKEN, Reason.TICK_LOST);
	}

	@Test
	void aLookAtATickThatHalfOfTheNodesCallTakenSaysNothingOfALoss() {
		look(4);
		vote(TAKEN, TAKEN, LOST, LOST);
		assertThat(reason()).isNotIn(Reason.TICK_TAKEN, Reason.TICK_LOST);
	}

	@Test
	void aMarkIsGrantedWithTheVoteThatMakesAMajority() {
		settle(5, () -> true);
		vote(GRANTED, TAKEN, GRANTED);
		assertThat(this.results).isEmpty();
		vote(GRANTED);
		assertThat(this.results).singleElement().isNull();
	}

	@Test
	void aVoteAfterTheRoundIsDecidedMayMakeTheTickTaken() {
		settle(5, () -> true);
		vote(TAKEN, TAKEN, LOST);
		assertThat(this.results).as("not won, and not known to be taken").isEmpty();
		vote(TAKEN);
		assertThat(reason()).isEqualTo(Reason.TICK_TAKEN);
	}

	@Test
	void aMarkWithoutAVerdictWaitsForEachNode() {
		settle(5, () -> true);
		vote(LOST, LOST, LOST, GRANTED);
		assertThat(this.results).isEmpty();
		vote(LOST);
		assertThat(reason()).as("one node may have marked it").isEqualTo(Reason.TICK_LOST);
	}

	@Test
	void aTickThatOthersMarkedOnHalfOfTheNodesIsLost() {
		settle(4, () -> true);
		vote(TAKEN, GRANTED, TAKEN, GRANTED);
		assertThat(reason()).isEqualTo(Reason.TICK_LOST);
	}

	@Test
	void aMarkWithoutAVerdictIsAskedForAgainUnderTheSameClaimAfterANodeTimeoutFourTimesInAll() {
		settle(5, () -> true);
		for (int round = 1; round <= 4; round++) {
			assertThat(this.results).isEmpty();
			assertThat(this.asked).as("round %s", round).hasSize(5 * round);
			this.time.advance(NODE_TIMEOUT);
			this.time.advance(NODE_TIMEOUT);
		}
		assertThat(reason()).isEqualTo(Reason.TICK_LOST);
		assertThat(this.asked).hasSize(20);
	}

	@Test
	void aRequestThatMayNotAskAgainEndsAfterThePause() {
		settle(5, () -> false);
		this.time.advance(NODE_TIMEOUT);
		assertThat(this.results).isEmpty();
		this.time.advance(NODE_TIMEOUT);
		assertThat(reason()).isEqualTo(Reason.TICK_LOST);
		assertThat(this.asked).hasSize(5);
	}

	@Test
	void aMarkAfterTheWorkIsAskedForOnce() {
		LockPlan plan = plan(5, true);
		this.time.execute(() -> TickRound.markDone(this.context, plan, plan.claim("token"), this.results::add));
		this.time.advance(NODE_TIMEOUT);
		assertThat(reason()).isEqualTo(Reason.TICK_LOST);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.asked).hasSize(5);
	}

	@Test
	void aTryWithATickMayTakeTwoNodeTimeoutsLongerForEachOfItsRounds() {
		assertThat(plan(5, false).longestTry()).isEqualTo(NODE_TIMEOUT.multipliedBy(10));
	}

	private void look(int nodes) {
		LockPlan plan = plan(nodes, false);
		this.time.execute(() -> TickRound.checkTaken(this.context, plan, this.results::add));
	}

	private void settle(int nodes, BooleanSupplier mayAskAgain) {
		LockPlan plan = plan(nodes, false);
		this.time
			.execute(() -> TickRound.settle(this.context, plan, plan.claim("token"), mayAskAgain, this.results::add));
	}

	/** Lets the next nodes answer. */
	private void vote(Vote... votes) {
		for (Vote vote : votes) {
			this.asked.stream().filter((answer) -> !answer.isDone()).findFirst().orElseThrow().complete(vote);
		}
	}

	private Reason reason() {
		assertThat(this.results).hasSize(1);
		return Objects.requireNonNull(this.results.get(0)).reason();
	}

	private LockPlan plan(int nodes, boolean rerun) {
		Tick tick = new Tick(1_000_000, Duration.ofSeconds(10), Duration.ofSeconds(1), rerun);
		List<LockNode> all = Stream.<LockNode>generate(Node::new).limit(nodes).toList();
		return LockPlan.of(LockRequest.of("job").withTick(tick), this.settings, all, () -> RequestNotifier.SILENT);
	}

	/**
	 * A node that answers when the test votes.
	 */
	private final class Node extends UnaskedNode {

		@Override
		public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
			CompletableFuture<Vote> answer = new CompletableFuture<>();
			TickRoundTests.this.asked.add(answer);
			return answer;
		}

	}

}
