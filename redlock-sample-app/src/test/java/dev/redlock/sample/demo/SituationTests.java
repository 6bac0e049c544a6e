package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection;
import dev.redlock.NodeVote;
import dev.redlock.sample.demo.SaleDesk.SaleView;
import dev.redlock.sample.demo.Situation.Code;
import dev.redlock.sample.shop.Stock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SituationTests {

	private static final Vote DOWN = new Faulted(Fault.UNAVAILABLE, "Not connected", false);

	private static final Vote HELD = new Refused(Refusal.HELD, "JVM 2", Duration.ofMillis(1_800), 0);

	@Test
	void withoutAQuorumItSaysWhichNodesAreMissing() {
		Situation situation = Standstill.explain(inspection(DOWN, DOWN, HELD, DOWN, HELD));
		assertThat(situation).isNotNull();
		assertThat(situation.code()).isEqualTo(Code.NO_QUORUM);
		assertThat(situation.headline()).isEqualTo("Nothing is sold: 2 of 5 nodes answer");
		assertThat(situation.text()).contains("3 of 5 nodes cannot vote (a, b, d)").contains("needs 3");
	}

	@Test
	void aHolderThatStandsStillIsNamedWithWhatIsLeftOfItsLock() {
		Situation situation = Standstill.explain(inspection(HELD, HELD, HELD, DOWN, DOWN));
		assertThat(situation).isNotNull();
		assertThat(situation.code()).isEqualTo(Code.HELD);
		assertThat(situation.text()).contains("JVM 2").contains("1.8 s");
	}

	@Test
	void aFreeLockExplainsNothing() {
		assertThat(Standstill.explain(inspection(Granted.PLAIN, Granted.PLAIN, Granted.PLAIN, DOWN, HELD))).isNull();
	}

	@Test
	void aSaleWithTheLockThatPromisedAUnitTooOftenIsNotWell() {
		SaleView sale = new SaleView(true, 1, Protection.LOCK, false, 6);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 60, 40)).code()).isEqualTo(Code.SELLING);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 80, 40)).code()).isEqualTo(Code.UNSAFE);
	}

	@Test
	void soldOutIsWellOnlyWhereNothingWasPromisedTooOften() {
		SaleView over = new SaleView(false, 1, Protection.NONE, true, 6);
		assertThat(Situation.of(over, new Stock("sneaker", 100, 0, 100)).code()).isEqualTo(Code.CLOSED);
		assertThat(Situation.of(over, new Stock("sneaker", 100, 0, 250)).code()).isEqualTo(Code.UNSAFE);
	}

	@Test
	void whileTooFewNodesVoteItSaysSoAndWhenEnoughWillVoteAgain() {
		Electorate electorate = new Electorate(List.of(node("a", State.QUARANTINED, 4_200L),
				node("b", State.UNAVAILABLE, null), node("c", State.QUARANTINED, 1_100L), node("d", State.READY, null),
				node("e", State.READY, null)));
		Situation situation = Situation.noQuorum(electorate, true);
		assertThat(electorate.hasMajority()).isFalse();
		assertThat(situation.code()).isEqualTo(Code.NO_QUORUM);
		assertThat(situation.headline()).isEqualTo("Nothing is sold: 2 of 5 nodes vote");
		assertThat(situation.text()).contains("3 of 5 nodes cannot vote (a, b, c), and a lock needs 3 votes.")
			.endsWith("Enough nodes vote again in 2 s.");
		assertThat(Situation.noQuorum(electorate, false).headline())
			.isEqualTo("No lock is possible: 2 of 5 nodes vote");
	}

	@Test
	void aQuarantineThatEndsDoesNotHelpWhereStillTooFewWouldVote() {
		Electorate electorate = new Electorate(
				List.of(node("a", State.QUARANTINED, 4_200L), node("b", State.UNAVAILABLE, null),
						node("c", State.CHECKING, null), node("d", State.UNFIT, null), node("e", State.READY, null)));
		assertThat(electorate.untilMajority()).isEmpty();
		assertThat(Situation.noQuorum(electorate, true).text()).endsWith("Heal a node to go on.");
	}

	@Test
	void noSituationOfASaleWithoutAMajorityOrWithoutALockSaysThatItSells() {
		SaleView unlocked = new SaleView(true, 1, Protection.NONE, true, 6);
		assertThat(Situation.of(unlocked, new Stock("sneaker", 100, 60, 90)).headline()).doesNotContain("Selling");
		assertThat(Situation.quiet().headline()).startsWith("Nothing is sold");
		assertThat(Situation.held("JVM 2", Duration.ofSeconds(1)).headline()).startsWith("Nothing is sold");
	}

	@Test
	void theResultsOfTheLastSalesWithoutAndWithTheLockAreKept() {
		Stock without = new Stock("sneaker", 100, 60, 240);
		Stock with = new Stock("sneaker", 100, 60, 40);
		Results results = Results.NONE.with(Protection.NONE, without).with(Protection.LOCK_AND_FENCE, with);
		assertThat(results).isEqualTo(new Results(without, with));
		assertThat(without.promisedTooOften()).isEqualTo(200);
		assertThat(with.promisedTooOften()).isZero();
	}

	private static NodeView node(String name, State state, @Nullable Long remainingMillis) {
		return new NodeView(name, null, state, "", remainingMillis);
	}

	private static Inspection inspection(Vote a, Vote b, Vote c, Vote d, Vote e) {
		return new Inspection("stock:sneaker", List.of(new NodeVote("a", a), new NodeVote("b", b), new NodeVote("c", c),
				new NodeVote("d", d), new NodeVote("e", e)));
	}

}
