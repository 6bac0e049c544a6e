package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.sample.demo.Turn.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PurchaseTests {

	private final AtomicBoolean pauseNext = new AtomicBoolean();

	private final AtomicInteger sold = new AtomicInteger(20);

	private final List<Turn> turns = new ArrayList<>();

	private final Purchase purchase = new Purchase(Turn.waiting("JVM 1", 1, 1, Protection.LOCK, 1), this.turns::add,
			pace(Protection.LOCK), this.sold::get);

	@Test
	void aLateWriteIsWrongIfOthersHaveBoughtSinceItReadTheStock() {
		this.purchase.decide();
		// Others have bought two units, and the purchase itself one.
		this.sold.set(23);
		assertThat(this.purchase.overwroteOthers()).isTrue();
	}

	@Test
	void aLateWriteDoesNoHarmIfNoOtherBuyerHasBoughtInBetween() {
		this.purchase.decide();
		this.sold.set(21);
		assertThat(this.purchase.overwroteOthers()).isFalse();
	}

	@Test
	void aPurchaseEndsForTheTimelineWhenItHasWrittenBecauseTheLockIsReleasedAfterThat() {
		this.purchase.decide();
		this.purchase.written();
		long written = Micros.now();
		Turn ended = this.purchase.ended(Phase.SOLD, "");
		assertThat(ended.endMicros()).isBetween(ended.holdingMicros(), written);
		assertThat(this.turns).last().isEqualTo(ended);
	}

	private Pace pace(Protection current) {
		return new Pace(Duration.ZERO, this.pauseNext, () -> current);
	}

}
