package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.redlock.internal.plan.Moment;
import dev.redlock.internal.vote.Releases.Announcement;
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
		send("x", Announcement.ALWAYS);
		assertThat(sentAfterMillis(15_000)).containsExactly(100L, 300L, 700L, 1_500L, 3_100L, 5_100L, 7_100L, 9_100L);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aForwardStepOfTheWallClockDropsNoRelease() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
		this.time.stepWallClock(TTL.plusSeconds(1));
		assertThat(sentAfterMillis(1_000)).containsExactly(100L, 300L, 700L);
	}

	@Test
	void theDelaysBeginAnewWhenANodeHasTakenARelease() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
		sentAfterMillis(1_000);
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(4_000)).hasSize(1);
		this.node.answer = Node.DOWN;
		send("y", Announcement.ALWAYS);
		assertThat(sentAfterMillis(350)).containsExactly(100L, 300L);
	}

	@Test
	void aNodeThatThrowsIsOneThatFails() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
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
		send("x", Announcement.ALWAYS);
		assertThat(sentAfterMillis(10_000)).isEmpty();
	}

	@Test
	void aReleaseIsNotRepeatedOnANodeThatCannotHoldTheClaim() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS, (asked) -> false);
		assertThat(sentAfterMillis(10_000)).isEmpty();
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aReleaseWithoutAnAnswerIsNotRepeatedAndOneWhoseAnswerFailsIs() {
		this.node.answer = null;
		send("x", Announcement.ALWAYS);
		assertThat(sentAfterMillis(5_000)).isEmpty();
		this.node.unanswered.get(0).completeExceptionally(new IllegalStateException("of a node"));
		assertThat(sentAfterMillis(150)).containsExactly(100L);
	}

	@Test
	void whatWaitsFollowsAtOnceWhenTheNodeTakesOne() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
		send("y", Announcement.ALWAYS);
		send("z", Announcement.ALWAYS);
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(150)).containsExactly(100L, 100L, 100L);
	}

	@Test
	void whatWaitsIsLeftAloneWhileTheNodeFails() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
		send("y", Announcement.ALWAYS);
		assertThat(sentAfterMillis(150)).as("the first failure stops the others").containsExactly(100L);
	}

	@Test
	void atMostAThousandRepeatedReleasesWaitForTheirAnswers() {
		this.node.answer = Node.DOWN;
		IntStream.range(0, 1_500).forEach((i) -> send("x" + i, Announcement.NEVER));
		this.node.answer = null;
		assertThat(sentAfterMillis(5_000)).hasSize(1_000);
		this.node.unanswered.get(0).complete(Granted.PLAIN);
		assertThat(this.node.unanswered).hasSize(1_001);
	}

	@Test
	void beyondAHundredThousandClaimsAreLeftToTheirTtl() {
		this.node.answer = Node.DOWN;
		IntStream.range(0, 100_002).forEach((i) -> send("x", Announcement.NEVER));
		this.node.answer = Granted.PLAIN;
		assertThat(sentAfterMillis(5_000)).hasSize(100_000);
	}

	@Test
	void aReleaseToBeAnnouncedWhenRepeatedIsAnnouncedOnlyThen() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.WHEN_REPEATED);
		assertThat(this.node.announced).containsExactly(false);
		assertThat(hasAnnounced("x")).isFalse();
		sentAfterMillis(150);
		assertThat(this.node.announced).containsExactly(false, true);
		assertThat(hasAnnounced("x")).isTrue();
	}

	@Test
	void aReleaseThatIsNeverAnnouncedIsNotEvenWhenRepeated() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.NEVER);
		sentAfterMillis(150);
		assertThat(this.node.announced).containsExactly(false, false);
		assertThat(hasAnnounced("x")).isFalse();
	}

	@Test
	void theLastTwoHundredAndFiftySixAnnouncedReleasesAreRemembered() {
		send("x", Announcement.ALWAYS);
		IntStream.range(0, 255).forEach((i) -> send("y" + i, Announcement.ALWAYS));
		assertThat(hasAnnounced("x")).isTrue();
		assertThat(this.releases.hasAnnounced(claim("x").releaseName(), List.of("another"))).isFalse();
		send("z", Announcement.ALWAYS);
		assertThat(hasAnnounced("x")).isFalse();
		assertThat(hasAnnounced("y0")).isTrue();
	}

	@Test
	void everythingIsDoneWhenEachReleaseWasAnswered() {
		this.node.answer = null;
		send("x", Announcement.ALWAYS);
		whenDone();
		assertThat(this.done).isFalse();
		this.node.unanswered.get(0).complete(Granted.PLAIN);
		assertThat(this.done).isTrue();
	}

	@Test
	void whileSomebodyWaitsForTheEndFailedReleasesAreRepeatedAtOnceAndWithoutGrowingDelays() {
		this.node.answer = Node.DOWN;
		send("x", Announcement.ALWAYS);
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
		send("x", Announcement.ALWAYS);
		whenDone();
		sentAfterMillis(9_950);
		assertThat(this.done).isFalse();
		sentAfterMillis(200);
		assertThat(this.done).isTrue();
	}

	private void whenDone() {
		this.time.execute(() -> this.releases.whenDone(() -> this.done = true));
	}

	private void send(String key, Announcement announcement) {
		send(key, announcement, (asked) -> true);
	}

	private void send(String key, Announcement announcement, Predicate<LockNode> mayHold) {
		this.time.execute(() -> this.releases.send(new ReleaseCommand(claim(key), List.of(this.node), mayHold,
				Moment.now(this.time), NODE_TIMEOUT, Duration.ZERO, announcement)));
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
