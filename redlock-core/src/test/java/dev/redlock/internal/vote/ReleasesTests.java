package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.redlock.internal.plan.Moment;
import dev.redlock.internal.vote.Releases.ReleaseCommand;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases of claims with a ttl of ten seconds.
 */
class ReleasesTests {

	private static final Duration TTL = Duration.ofSeconds(10);

	private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);

	private final ManualTime time = new ManualTime();

	private final Node node = new Node();

	private final Releases releases = new Releases(this.time, this.time);

	private boolean done;

	@Test
	void aReleaseThatFailsIsRepeatedWithGrowingDelaysUntilTheClaimHasExpired() {
		this.node.answer = Node.DOWN;
		send("x", true);
		assertThat(sentAfterMillis(15_000)).containsExactly(100L, 300L, 700L, 1_500L, 3_100L, 5_100L, 7_100L, 9_100L);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aForwardStepOfTheWallClockDropsNoRelease() {
		this.node.answer = Node.DOWN;
		send("x", true);
		this.time.stepWallClock(TTL.plusSeconds(1));
		assertThat(sentAfterMillis(1_000)).containsExactly(100L, 300L, 700L);
	}

	@Test
	void theDelaysBeginAnewWhenANodeHasTakenARelease() {
		this.node.answer = Node.DOWN;
		send("x", true);
		sentAfterMillis(1_000);
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(4_000)).hasSize(1);
		this.node.answer = Node.DOWN;
		send("y", true);
		assertThat(sentAfterMillis(350)).containsExactly(100L, 300L);
	}

	@Test
	void aNodeThatThrowsIsOneThatFails() {
		this.node.answer = Node.DOWN;
		send("x", true);
		this.node.throwing = true;
		assertThat(sentAfterMillis(250)).containsExactly(100L);
		this.node.throwing = false;
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(1_000)).hasSize(1);
		whenDone();
		assertThat(this.done).isTrue();
	}

	@Test
	void aReleaseThatIsRefusedIsNotRepeated() {
		this.node.answer = Refused.because(Vote.Refusal.MISSING);
		send("x", true);
		assertThat(sentAfterMillis(10_000)).isEmpty();
	}

	@Test
	void aReleaseIsNotRepeatedOnANodeThatCannotHoldTheClaim() {
		this.node.answer = Node.DOWN;
		send("x", true, (asked) -> false);
		assertThat(sentAfterMillis(10_000)).isEmpty();
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aReleaseWithoutAnAnswerIsNotRepeatedAndOneWhoseAnswerFailsIs() {
		this.node.answer = null;
		send("x", true);
		assertThat(sentAfterMillis(5_000)).isEmpty();
		this.node.unanswered.get(0).completeExceptionally(new IllegalStateException("of a node"));
		assertThat(sentAfterMillis(150)).containsExactly(100L);
	}

	@Test
	void whatWaitsFollowsAtOnceWhenTheNodeTakesOne() {
		this.node.answer = Node.DOWN;
		send("x", true);
		send("y", true);
		send("z", true);
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(150)).containsExactly(100L, 100L, 100L);
	}

	@Test
	void whatWaitsIsLeftAloneWhileTheNodeFails() {
		this.node.answer = Node.DOWN;
		send("x", true);
		send("y", true);
		assertThat(sentAfterMillis(150)).as("the first failure stops the others").containsExactly(100L);
	}

	@Test
	void atMostAThousandRepeatedReleasesWaitForTheirAnswers() {
		this.node.answer = Node.DOWN;
		IntStream.range(0, 1_500).forEach((i) -> send("x" + i, false));
		this.node.answer = null;
		assertThat(sentAfterMillis(5_000)).hasSize(1_000);
		this.node.unanswered.get(0).complete(Granted.PLAIN);
		assertThat(this.node.unanswered).hasSize(1_001);
	}

	@Test
	void beyondAHundredThousandClaimsAreLeftToTheirTtl() {
		this.node.answer = Node.DOWN;
		IntStream.range(0, 100_002).forEach((i) -> send("x", false));
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(5_000)).hasSize(100_000);
	}

	@Test
	void aReleaseThatIsHandedOverIsNotSentWhereANodeGrantsOrRefusesTheSuccessor() {
		for (Vote vote : List.of(Granted.PLAIN, Refused.because(Vote.Refusal.HELD))) {
			handOver("x", (asked) -> true).voted(this.node, vote);
			whenDone();
			assertThat(this.done).isTrue();
		}
		assertThat(sentAfterMillis(10_000)).isEmpty();
		assertThat(hasAnnounced("x")).isFalse();
	}

	@Test
	void aReleaseThatIsHandedOverIsSentAndRepeatedWhereTheSuccessorFails() {
		this.node.answer = Node.DOWN;
		HandOver handOver = handOver("x", (asked) -> true);
		whenDone();
		assertThat(this.done).as("the successor has no answer").isFalse();
		assertThat(this.node.sent).isEmpty();
		handOver.voted(this.node, Node.DOWN);
		assertThat(this.node.announced).as("at once").containsExactly(true);
		assertThat(hasAnnounced("x")).isTrue();
		assertThat(sentAfterMillis(350)).containsExactly(100L, 200L, 300L);
		this.node.answer = Granted.PLAIN;
		sentAfterMillis(100);
		assertThat(this.done).isTrue();
	}

	@Test
	void aReleaseThatIsHandedOverIsNotSentToANodeThatCannotHoldTheClaim() {
		handOver("x", (asked) -> false).voted(this.node, Node.DOWN);
		assertThat(sentAfterMillis(10_000)).isEmpty();
	}

	@Test
	void aReleaseThatIsNeverAnnouncedIsNotEvenWhenRepeated() {
		this.node.answer = Node.DOWN;
		send("x", false);
		sentAfterMillis(150);
		assertThat(this.node.announced).containsExactly(false, false);
		assertThat(hasAnnounced("x")).isFalse();
	}

	@Test
	void theLastTwoHundredAndFiftySixAnnouncedReleasesAreRemembered() {
		send("x", true);
		IntStream.range(0, 255).forEach((i) -> send("y" + i, true));
		assertThat(hasAnnounced("x")).isTrue();
		assertThat(this.releases.hasAnnounced(claim("x").releaseName(), List.of("another"))).isFalse();
		send("z", true);
		assertThat(hasAnnounced("x")).isFalse();
		assertThat(hasAnnounced("y0")).isTrue();
	}

	@Test
	void everythingIsDoneWhenEachReleaseWasAnswered() {
		this.node.answer = null;
		send("x", true);
		whenDone();
		assertThat(this.done).isFalse();
		this.node.unanswered.get(0).complete(Granted.PLAIN);
		assertThat(this.done).isTrue();
	}

	@Test
	void whileSomebodyWaitsForTheEndFailedReleasesAreRepeatedAtOnceAndWithoutGrowingDelays() {
		this.node.answer = Node.DOWN;
		send("x", true);
		sentAfterMillis(2_000);
		int before = this.node.sent.size();
		whenDone();
		assertThat(this.node.sent).hasSize(before + 1);
		assertThat(sentAfterMillis(350)).hasSize(3);
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(150)).hasSize(1);
		assertThat(this.done).isTrue();
		assertThat(this.releases.isHurried()).isFalse();
	}

	@Test
	void everythingIsDoneWhenTheClaimsHaveExpired() {
		this.node.answer = Node.DOWN;
		send("x", true);
		whenDone();
		sentAfterMillis(9_950);
		assertThat(this.done).isFalse();
		sentAfterMillis(200);
		assertThat(this.done).isTrue();
	}

	private void whenDone() {
		this.time.execute(() -> this.releases.whenDone(() -> this.done = true));
	}

	private void send(String key, boolean announced) {
		send(key, announced, (asked) -> true);
	}

	private void send(String key, boolean announced, Predicate<LockNode> mayHold) {
		this.time.execute(() -> this.releases.send(command(key, announced, mayHold)));
	}

	private HandOver handOver(String key, Predicate<LockNode> mayHold) {
		List<HandOver> begun = new ArrayList<>();
		this.time.execute(() -> begun.add(this.releases.handOver(command(key, true, mayHold), 1, (tally) -> {
		})));
		return begun.get(0);
	}

	private ReleaseCommand command(String key, boolean announced, Predicate<LockNode> mayHold) {
		return new ReleaseCommand(claim(key), List.of(this.node), mayHold, Moment.now(this.time), NODE_TIMEOUT,
				Duration.ZERO, announced);
	}

	private boolean hasAnnounced(String key) {
		return this.releases.hasAnnounced(claim(key).releaseName(), List.of(key));
	}

	private static Claim claim(String key) {
		return new Claim(List.of(key), "0123456789012345678901", TTL);
	}

	/**
	 * Lets time pass, and returns when releases were sent meanwhile.
	 */
	private List<Long> sentAfterMillis(long millis) {
		int before = this.node.sent.size();
		long start = this.time.nanoTime();
		this.time.advance(Duration.ofMillis(millis));
		return this.node.sent.subList(before, this.node.sent.size())
			.stream()
			.map((nanos) -> (nanos - start) / 1_000_000)
			.toList();
	}

	/**
	 * A node that answers as it is told, or not yet.
	 */
	private final class Node extends UnaskedNode {

		static final Vote DOWN = new Faulted(Fault.UNAVAILABLE, "down", false);

		private final List<Long> sent = new ArrayList<>();

		private final List<Boolean> announced = new ArrayList<>();

		private final List<CompletableFuture<Vote>> unanswered = new ArrayList<>();

		private Vote answer = Granted.PLAIN;

		private boolean throwing;

		@Override
		public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
			this.sent.add(ReleasesTests.this.time.nanoTime());
			this.announced.add(announce);
			if (this.throwing) {
				throw new IllegalStateException("a defect of the node");
			}
			CompletableFuture<Vote> vote = new CompletableFuture<>();
			if (this.answer != null) {
				vote.complete(this.answer);
			}
			else {
				this.unanswered.add(vote);
			}
			return vote;
		}

	}

}
