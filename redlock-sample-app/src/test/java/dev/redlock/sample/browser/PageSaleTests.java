package dev.redlock.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the lock does, what the fence does, and what happens without them.
 */
class PageSaleTests extends PageTest {

	@Test
	void withoutTheLockMoreIsSoldThanThereWas() {
		page().fill("units", 40);
		page().click("open-unlocked");
		page().awaitMoreThan("promised-too-often", 0);
		page().awaitText("situation-headline", "Sold out, and oversold");
		assertThat(page().number("promised-too-often")).isPositive();
		assertThat(page().number("sold")).isEqualTo(40 + page().number("promised-too-often"));
		assertThat(page().attribute(".numbers div:last-child", "data-bad")).isEqualTo("true");
	}

	@Test
	void withTheLockExactlyWhatThereIsIsSold() {
		page().fill("units", 40);
		page().fill("buyers", 8);
		page().click("open-locked");
		page().await("the last unit to be sold", () -> {
			assertThat(page().number("promised-too-often")).isZero();
			return page().text("situation-headline").equals("Sold out");
		});
		assertThat(page().number("sold")).isEqualTo(40);
		assertThat(page().number("left")).isZero();
		assertThat(page().layoutShift()).isLessThan(0.01);
	}

	@Test
	void theFenceRefusesTheLateWriteOfAHolderThatStoodStill() {
		page().open(1280, 1580);
		sellWithTheLock();
		page().click("pause");
		page().awaitSituation("HELD");
		assertThat(page().text("situation-text")).contains("JVM 1 has the lock");
		page().await("the lock to be lost", () -> page().attribute("[data-step='lost']", "data-on").equals("true"));
		page().await("the late write", () -> page().attribute("#steps", "data-outcome").equals("REFUSED"));
		assertThat(page().text("write-text")).contains("has seen a later fence").contains("Nothing was written");
		page().awaitText("notes", "Refused: JVM 1");
		assertThat(page().number("promised-too-often")).isZero();
		assertThat(page().layoutShift()).isLessThan(0.01);
	}

	@Test
	void withoutTheFenceTheLateWriteGoesThroughAndIsShownAsWrong() {
		page().toggle("fence");
		sellWithTheLock();
		page().click("pause");
		page().await("the late write", () -> page().attribute("#steps", "data-outcome").equals("WRONG"));
		page().awaitText("notes", "Wrong write: JVM 1");
		page().awaitMoreThan("promised-too-often", 0);
		page().awaitText("situation-headline", "the books are wrong");
		assertThat(page().situation()).isEqualTo("UNSAFE");
	}

	@Test
	@Tag("slow")
	void aSecondJvmHasALaneOfItsOwnAndBuysFromTheSameStock() {
		page().toggle("second-jvm");
		page().await("the second JVM", () -> page().attribute("#jvm-two", "data-state").equals("RUNNING"));
		page().fill("buyers", 4);
		sellWithTheLock();
		page().await("two lanes", () -> page().attribute("#timeline", "data-lanes").equals("JVM 1, JVM 2"));
		page().awaitText("caption", "JVM 2");
		assertThat(page().number("promised-too-often")).isZero();
		page().toggle("second-jvm");
		page().await("its end", () -> page().attribute("#jvm-two", "data-state").equals("OFF"));
		int sold = page().number("sold");
		page().awaitMoreThan("sold", sold);
	}

	@Test
	void theTimeOfANoteIsOneLine() {
		page().click("reset");
		page().awaitText("notes", "The shelves are full again");
		assertThat(page().run("""
				const range = document.createRange();
				range.selectNodeContents(document.querySelector('#notes time'));
				return range.getClientRects().length;
				""")).isEqualTo(1L);
	}

	@Test
	void aSaleCanBeStoppedAndReset() {
		sellWithTheLock();
		page().click("close");
		page().awaitText("situation-headline", "The sale was stopped");
		page().fill("units", 123);
		page().click("reset");
		page().await("full shelves", () -> page().number("left") == 123 && page().number("sold") == 0);
	}

	private void sellWithTheLock() {
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
	}

}
