package dev.redlock.sample;

import dev.redlock.sample.shop.Customer;
import dev.redlock.sample.shop.FlashSale;
import dev.redlock.sample.shop.StockBooks;
import dev.redlock.test.lateholder.AutoConfigureLateHolder;
import dev.redlock.test.lateholder.LateHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class FlashSaleLateHolderTests {

	private static final Customer DECIDED = () -> {
	};

	@Autowired
	FlashSale sale;

	@Autowired
	StockBooks books;

	@Autowired
	LateHolder lateHolder;

	@Test
	void aFencedSaleIsSafeAtEachStep(CapturedOutput output) {
		this.lateHolder.given(() -> this.books.reset("sneaker", 10))
			.call(() -> this.sale.buy("sneaker", DECIDED))
			.verify(() -> everySaleHasItsUnit("sneaker"));
		assertThat(output).containsPattern("5  update stock set fence=.*refused: StaleFenceException +holds");
	}

	@Test
	void withoutTheFenceTheSaleFailsAtTheWrite() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(() -> this.books.reset("sandal", 10))
				.call(() -> this.sale.buyUnfenced("sandal", DECIDED))
				.verify(() -> everySaleHasItsUnit("sandal")))
			.satisfies((broken) -> assertThat(broken.getMessage().lines().skip(3)).satisfiesExactly(
					(select) -> assertThat(select).matches("1  SELECT remaining .* holds +holds"),
					(update) -> assertThat(update)
						.matches("2  UPDATE stock .*LANDED LATE, then LockLostAfterCommitException +BROKEN.*"),
					(insert) -> assertThat(insert).matches("3  INSERT INTO sale .* holds +–"),
					(advice) -> assertThat(advice).startsWith("A write that landed late needs a fence")));
	}

	private void everySaleHasItsUnit(String sku) {
		assertThat(this.books.find(sku).promisedTooOften()).isZero();
	}

}
