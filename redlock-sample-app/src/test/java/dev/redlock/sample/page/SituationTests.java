package dev.redlock.sample.page;

import java.time.Duration;
import java.util.List;

import dev.redlock.Inspection;
import dev.redlock.NodeVote;
import dev.redlock.sample.buyers.Protection;
import dev.redlock.sample.page.SaleDesk.SaleView;
import dev.redlock.sample.page.Situation.Code;
import dev.redlock.sample.shop.Stock;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
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
		assertThat(situation.headline()).contains("NO_QUORUM");
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
	void aSaleWithTheLockThatSoldSomethingTwiceIsNotWell() {
		SaleView sale = new SaleView(true, true, Protection.LOCK, false);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 60, 40)).code()).isEqualTo(Code.SELLING);
		assertThat(Situation.of(sale, new Stock("sneaker", 100, 80, 40)).code()).isEqualTo(Code.UNSAFE);
	}

	@Test
	void soldOutIsWellOnlyWhereNothingWasOversold() {
		SaleView over = new SaleView(false, true, Protection.NONE, true);
		assertThat(Situation.of(over, new Stock("sneaker", 100, 0, 100)).code()).isEqualTo(Code.CLOSED);
		assertThat(Situation.of(over, new Stock("sneaker", 100, 0, 250)).code()).isEqualTo(Code.UNSAFE);
	}

	private static Inspection inspection(Vote a, Vote b, Vote c, Vote d, Vote e) {
		return new Inspection("stock:sneaker", List.of(new NodeVote("a", a), new NodeVote("b", b), new NodeVote("c", c),
				new NodeVote("d", d), new NodeVote("e", e)));
	}

}
