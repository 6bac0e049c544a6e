package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Inspection.Verdict;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code HELD} says that one other owner has a majority, or this process. Owners are told
 * apart by their tokens: those of two instances on one host have the same label.
 */
class RefusalReasonTests {

	private static final String X = "secret-of-x|shop@host";

	private static final String Y = "secret-of-y|shop@host";

	private static final LockRequest AT_ONCE = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	/**
	 * The letters say who holds the lock on each node: X, Y, or a client of another
	 * library. On the others it is free, or they are down or frozen.
	 */
	@ParameterizedTest
	@CsvSource({ "XXX!!, HELD", "LLL.., HELD", "XXYYY, HELD", "XXYY., SPLIT_VOTE", "XXY!!, SPLIT_VOTE",
			"X..!!, SPLIT_VOTE", "XX!!!, NO_QUORUM", "..!!!, NO_QUORUM", "X~, HELD", "XX~, HELD", "!X~, HELD",
			"XXX~, HELD", "XXXX~, HELD", "XXXXX~, HELD", "XXXXXX~, HELD", "XXY~~, SPLIT_VOTE", "X., SPLIT_VOTE",
			"XXX..., SPLIT_VOTE" })
	void aSingleTryEndsAtOnceWithTheReason(String nodes, Reason reason) {
		LockWorld small = new LockWorld(nodes.length());
		for (int i = 0; i < nodes.length(); i++) {
			switch (nodes.charAt(i)) {
				case 'X' -> small.held(X, i);
				case 'Y' -> small.held(Y, i);
				case 'L' -> small.held("token-of-another-library", i);
				case '!' -> small.nodes.get(i).down();
				case '~' -> small.nodes.get(i).freeze();
				default -> assertThat(nodes.charAt(i)).isEqualTo('.');
			}
		}
		assertThat(small.attempt(AT_ONCE)).as("at once")
			.isCompletedWithValueMatching((attempt) -> attempt.reason().equals(Optional.of(reason)));
	}

	@Test
	void aCallerThatActsOnTheReasonLearnsItFromTheVotesThatComeAfterTheRefusal() {
		this.world.held(X, 1, 2, 3);
		down(0);
		this.world.nodes.get(3).freeze();
		CompletableFuture<LockAttempt> attempt = this.world.attempt(AT_ONCE.withAwaitReason(true));
		assertThat(attempt).isNotDone();
		this.world.nodes.get(3).up();
		assertThat(completed(attempt).reason()).contains(Reason.HELD);
	}

	@Test
	void aCallerThatActsOnTheReasonWaitsForItNoLongerThanTheNodeTimeout() {
		this.world.held(X, 1, 2, 3);
		down(0);
		this.world.nodes.get(3).freeze();
		CompletableFuture<LockAttempt> attempt = this.world.attempt(AT_ONCE.withAwaitReason(true));
		this.world.time.advance(Duration.ofMillis(500));
		assertThat(attempt.getNow(null).reason()).contains(Reason.SPLIT_VOTE);
	}

	@Test
	void aWaitInASplitVoteEndsAsASplitVoteAndAsksAgainQuickly() {
		this.world.held(X, 0, 1);
		this.world.held(Y, 2, 3);
		CompletableFuture<LockAttempt> attempt = this.world
			.attempt(LockRequest.of("stock").withWaitFor(Duration.ofSeconds(1)));
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(completed(attempt).reason()).contains(Reason.SPLIT_VOTE);
		assertThat(completed(attempt).tries()).isGreaterThan(5);
		assertThat(completed(attempt).failure().orElseThrow()).hasMessageContaining("SPLIT_VOTE");
	}

	@Test
	void aFenceThatCannotBeSettledHasAReasonOfItsOwn() {
		List<CountingNode> nodes = this.world.counted;
		for (int i = 0; i < 5; i++) {
			InMemoryNode node = this.world.nodes.get(i);
			// Each node has another counter, and those that are behind lose the claim.
			Claim former = new Claim(List.of("redlock:stock"), "former", Duration.ofSeconds(1));
			node.restore(former, Long.MAX_VALUE / 2 + i);
			node.release(former, Duration.ZERO);
			nodes.get(i).beforeExtend = node::forget;
		}
		Redlock redlock = this.world.process(this.world.over(nodes, LockWorld.settings(), 2));
		LockAttempt attempt = completed(redlock.attempt(AT_ONCE));
		assertThat(attempt.reason()).contains(Reason.FENCE_NOT_SETTLED);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void inspectSaysHeldOnlyWhereOneOwnerHasAMajority() {
		this.world.held(X, 0, 1);
		this.world.held(Y, 2, 3);
		assertThat(inspect().verdict()).isEqualTo(Verdict.SPLIT);
		assertThat(inspect().remaining()).isEmpty();
		this.world.held(Y, 4);
		assertThat(inspect().verdict()).isEqualTo(Verdict.HELD);
		down(4);
		assertThat(inspect().verdict()).as("Y may have a majority").isEqualTo(Verdict.UNKNOWN);
	}

	@Test
	void inspectTellsOfTheOwnerWithTheMajority() {
		this.world.held("secret|minority", 0, 1);
		this.world.time.advance(Duration.ofSeconds(1));
		this.world.held("secret|majority", 2, 3, 4);
		assertThat(inspect().holder()).contains("majority");
		assertThat(inspect().remaining()).contains(Duration.ofSeconds(9));
	}

	@Test
	void nothingThatTellsOwnersApartIsPrinted() {
		this.world.held(X, 0, 1, 2, 3, 4);
		String printed = inspect() + completed(this.world.attempt(AT_ONCE)).failure().orElseThrow().getMessage();
		assertThat(printed).contains("shop@host").doesNotContain("secret").doesNotContain(String.valueOf(X.hashCode()));
	}

	private Inspection inspect() {
		return completed(this.world.redlock.inspect("stock"));
	}

	private void down(int... nodes) {
		for (int node : nodes) {
			this.world.nodes.get(node).down();
		}
	}

}
