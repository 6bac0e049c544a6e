package dev.redlock.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The five steps that lead a reader through the demo.
 */
@Tag("slow")
class PageGuideTests extends PageTest {

	private static final int UNITS = 6_000;

	@Test
	void oneSaleIsLongEnoughForAllFiveSteps() {
		page().fill("units", UNITS);
		page().click("open-unlocked");
		page().awaitMoreThan("promised-too-often", 20);
		assertDone(1);
		page().click("open-locked");
		page().awaitMoreThan("sold", 20);
		assertDone(2);
		page().click("kill-two");
		page().awaitText("result-two", "with 3 votes.");
		assertThat(page().situation()).isEqualTo("SELLING");
		page().click("kill-three");
		page().awaitText("result-three", "so far.");
		assertThat(page().text("result-three")).startsWith("No sale for ");
		page().click("heal-three");
		page().awaitText("result-three", "and then it went on.");
		page().awaitState("READY", "a", "b", "c");
		page().click("pause");
		page().awaitText("result-pause", "Its late write is refused.");
		for (int step = 1; step <= 5; step++) {
			assertDone(step);
		}
		assertThat(result("unlocked")).isGreaterThan(20);
		assertThat(result("locked")).isZero();
		assertThat(page().number("left")).as("units left after all five steps").isGreaterThan(UNITS / 4);
		assertThat(page().layoutShift()).isLessThan(0.01);
	}

	private int result(String sale) {
		return Integer.parseInt(String
			.valueOf(page()
				.run("return document.querySelector('#result-' + arguments[0] + ' div:last-child dd').innerText", sale))
			.replace(",", ""));
	}

	private void assertDone(int step) {
		page().await("step " + step + " to be done",
				() -> page().attribute("#walk [data-step='" + step + "']", "data-done").equals("true"));
	}

}
