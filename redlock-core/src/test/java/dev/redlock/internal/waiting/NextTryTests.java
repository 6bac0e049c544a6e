package dev.redlock.internal.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.vote.Round;
import dev.redlock.internal.vote.RoundTimes;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.vote.Verdict.Failed;
import dev.redlock.internal.vote.Verdict.FailedFor;
import dev.redlock.internal.vote.Verdict.FailedSoFar;
import dev.redlock.internal.waiting.NextTry.Wait;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Each cell of the table of {@link NextTry}.
 */
class NextTryTests {

	private static final Duration CLAIM = Duration.ofSeconds(2);

	private static final Duration RETRY_DELAY = Duration.ofMillis(200);

	/** The shortest, because no round has been measured. */
	private static final Duration GRACE = Duration.ofMillis(2);

	private static final Duration TURN = Duration.ofSeconds(1);

	private static final Refused X = refused("x", true);

	private static final Refused Y = refused("y", true);

	private static final Refused SILENT = refused("z", false);

	private static final Faulted DOWN = new Faulted(Fault.UNAVAILABLE, "down", false);

	private final ManualTime time = new ManualTime();

	private NextTry next = nextTry(1);

	@Test
	void aRequestThatWasNotRefusedAsksAtOnce() {
		assertThat(this.next.pause()).isZero();
		assertThat(this.next.waitsFor()).isNull();
	}

	@RepeatedTest(20)
	void aRefusalPausesUntilTheLatestMomentOfItsState(RepetitionInfo run) {
		this.next = nextTry(run.getCurrentRepetition());
		for (Wait state : Wait.values()) {
			this.next.clear();
			refuse(state);
			assertThat(this.next.pause()).as("%s", state).isBetween(latest(state, true), latest(state, false));
			assertThat(this.next.waitsFor()).isEqualTo(state);
		}
	}

	@RepeatedTest(20)
	void aClaimThatEndsInALongTimeIsAskedForAfterFiveSecondsAtMost(RepetitionInfo run) {
		this.next = nextTry(run.getCurrentRepetition());
		this.next.refused(Wait.RELEASE, tally(heldFor(Duration.ofHours(1))), RETRY_DELAY);
		assertThat(this.next.pause()).isBetween(Duration.ofMillis(2_500), Duration.ofSeconds(5));
	}

	@ParameterizedTest
	@EnumSource
	void newsEndsEveryPauseButABackoff(Wait state) {
		refuse(state);
		Duration before = this.next.pause();
		this.next.retrySoon();
		assertThat(this.next.pause()).isEqualTo(backsOff(state) ? before : Duration.ZERO);
	}

	@ParameterizedTest
	@EnumSource
	void newsWhileTheNodesAreAskedCountsAfterTheRefusal(Wait state) {
		this.next.asked();
		this.next.retrySoon();
		refuse(state);
		assertThat(this.next.pause().isZero()).isEqualTo(!backsOff(state));
		this.next.asked();
		refuse(state);
		assertThat(this.next.pause()).as("the news is older than this try").isPositive();
	}

	@ParameterizedTest
	@EnumSource
	void aReleaseLeavesOthersTheirTurnWhateverElseIsHeard(Wait state) {
		refuse(state);
		this.next.released(TURN.toNanos());
		assertThat(this.next.pause()).isEqualTo(TURN);
		this.next.retrySoon();
		assertThat(this.next.pause()).isEqualTo(TURN);
		this.next.released(0);
		assertThat(this.next.pause().isZero()).as("the next release begins another turn").isEqualTo(!backsOff(state));
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalDoesNotShortenTheTurnOfOthers(Wait state) {
		this.next.released(TURN.multipliedBy(60).toNanos());
		refuse(state);
		assertThat(this.next.pause()).isEqualTo(TURN.multipliedBy(60));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void aLaterVoteThatChangesTheStateCountsLikeARefusal(Wait before, Wait after) {
		refuse(before);
		refuse(after);
		assertThat(this.next.waitsFor()).isEqualTo(after);
		Duration most = (before == Wait.RIVALS && after == Wait.RIVALS) ? GRACE.multipliedBy(2) : latest(after, false);
		assertThat(this.next.pause()).isBetween(latest(after, true), most);
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseOrAHandoverEndsEveryPause(Wait state) {
		refuse(state);
		this.next.released(TURN.toNanos());
		this.next.clear();
		assertThat(this.next.pause()).isZero();
		assertThat(this.next.waitsFor()).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalThatConcernsNobodyIsForgottenAndATurnIsNot(Wait state) {
		refuse(state);
		this.next.forgetRefusals();
		assertThat(this.next.pause()).isZero();
		this.next.released(TURN.toNanos());
		this.next.forgetRefusals();
		assertThat(this.next.pause()).isEqualTo(TURN);
	}

	@ParameterizedTest
	@EnumSource
	void theNextRequestWaitsForItsOwnRetryDelayAtMostUnlessForARelease(Wait state) {
		this.next.refused(state, tally(List.of(X, X, X)), Duration.ofMinutes(5));
		Duration before = this.next.pause();
		this.next.firstChanged(RETRY_DELAY);
		boolean longer = state == Wait.UNANNOUNCED_RELEASE || state == Wait.NODES;
		assertThat(this.next.pause()).isEqualTo(longer ? RETRY_DELAY : before);
	}

	@Test
	void theBackoffAmongRivalsDoublesUpToTheRetryDelayAndBeginsAnewAfterAHolder() {
		Duration longest = GRACE;
		for (int i = 0; i < 30; i++) {
			refuse(Wait.RIVALS);
			assertThat(this.next.pause()).isBetween(longest.dividedBy(2), longest);
			Duration doubled = longest.multipliedBy(2);
			longest = (doubled.compareTo(RETRY_DELAY) < 0) ? doubled : RETRY_DELAY;
		}
		refuse(Wait.RELEASE);
		refuse(Wait.RIVALS);
		assertThat(this.next.pause()).isLessThanOrEqualTo(GRACE);
	}

	@ParameterizedTest
	@MethodSource("reasons")
	void theStateFollowsFromTheReason(Wait state, Reason reason, boolean subscribed, List<Vote> votes) {
		Failed failure = failure(reason, votes);
		assertThat(failure.reason()).isEqualTo(reason);
		assertThat(Wait.after(failure, subscribed)).isEqualTo(state);
	}

	static Stream<Arguments> reasons() {
		return Stream.of(arguments(Wait.RELEASE, Reason.HELD, true, List.of(X, X, X)),
				arguments(Wait.RELEASE, Reason.HELD, true, List.of(X, X, new Granted(1, 1))),
				arguments(Wait.RELEASE, Reason.HELD, true, List.of(X, X, DOWN)),
				arguments(Wait.UNANNOUNCED_RELEASE, Reason.HELD, false, List.of(X, X, X)),
				arguments(Wait.UNANNOUNCED_RELEASE, Reason.HELD, true, List.of(SILENT, SILENT, DOWN)),
				arguments(Wait.RIVALS, Reason.HELD, true, List.of(SILENT, SILENT, new Granted(1, 1))),
				arguments(Wait.UNANNOUNCED_RELEASE, Reason.HELD, true, List.of(X, X, SILENT)),
				arguments(Wait.RIVALS, Reason.SPLIT_VOTE, true, List.of(X, Y, new Granted(1, 1))),
				arguments(Wait.RIVALS, Reason.SPLIT_VOTE, true, List.of(X, Y, DOWN)),
				arguments(Wait.RIVALS, Reason.FENCE_NOT_SETTLED, true, granted()),
				arguments(Wait.NODES, Reason.NO_QUORUM, true, List.of(DOWN, DOWN, X)),
				arguments(Wait.NODES, Reason.VALIDITY_EXHAUSTED, true, granted()));
	}

	static Stream<Arguments> changes() {
		return Stream.of(Wait.values())
			.flatMap((before) -> Stream.of(Wait.values()).map((after) -> arguments(before, after)));
	}

	private static Duration latest(Wait state, boolean earliest) {
		Duration most = switch (state) {
			case RELEASE -> CLAIM.plusMillis(1).plus(GRACE);
			case RIVALS -> GRACE;
			case UNANNOUNCED_RELEASE, NODES -> RETRY_DELAY;
		};
		return (!earliest) ? most
				: (state == Wait.RELEASE) ? CLAIM.plusMillis(1).plus(GRACE.dividedBy(2)) : most.dividedBy(2);
	}

	private static boolean backsOff(Wait state) {
		return state == Wait.RIVALS || state == Wait.NODES;
	}

	private void refuse(Wait state) {
		this.next.refused(state, tally(List.of(X, X, X)), RETRY_DELAY);
	}

	private NextTry nextTry(long seed) {
		return new NextTry(this.time, new SplittableRandom(seed), new RoundTimes());
	}

	private static List<Vote> granted() {
		return List.of(new Granted(1, 1), new Granted(1, 1), new Granted(1, 1));
	}

	private static List<Vote> heldFor(Duration remaining) {
		Refused refused = Refused.heldBy("x|host", remaining);
		return List.of(refused, refused, refused);
	}

	private static Refused refused(String token, boolean announces) {
		return Refused.heldBy(token + (announces ? "|" : "~~") + "host", CLAIM);
	}

	/**
	 * The failure of a try in which each node has voted.
	 */
	private static Failed failure(Reason reason, List<Vote> votes) {
		Tally tally = tally(votes);
		ManualTime time = new ManualTime();
		Round round = new Round(tally.nodes(), tally.needed(), time, (anyTally) -> {
		});
		List<Vote> given = new ArrayList<>(votes);
		time.execute(
				() -> round.ask(Duration.ofSeconds(1), (node) -> CompletableFuture.completedFuture(given.remove(0))));
		return votes.equals(granted()) ? new FailedFor(reason, tally) : new FailedSoFar(round);
	}

	private static Tally tally(List<Vote> votes) {
		ManualTime time = new ManualTime();
		List<LockNode> nodes = Stream.of("a", "b", "c").<LockNode>map((name) -> new InMemoryNode(name, time)).toList();
		return new Tally(nodes, Arrays.asList(votes.toArray(Vote[]::new)), 2);
	}

}
