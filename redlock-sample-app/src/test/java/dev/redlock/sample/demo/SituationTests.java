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
	void aSaleWithTheLockThatPromisedAUnitTooOftenIsNotWell() {
		SaleView sale = new SaleView(true, 1, Protection.LOCK, false, 6, false);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 60, 40)).code()).isEqualTo(Code.SELLING);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 80, 40)).code()).isEqualTo(Code.UNSAFE);
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

	private static NodeView node(String name, State state, @Nullable Long remainingMillis) {
		return new NodeView(name, null, state, "", remainingMillis);
	}

	private static Inspection inspection(Vote a, Vote b, Vote c, Vote d, Vote e) {
		return new Inspection("stock:sneaker", List.of(new NodeVote("a", a), new NodeVote("b", b), new NodeVote("c", c),
				new NodeVote("d", d), new NodeVote("e", e)));
	}

}
