package dev.redlock.sample.browser;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page before its first event.
 */
class PageFirstPaintTests extends PageTest {

	@Test
	void stepsServersAndFiguresStandThereBeforeTheFirstEvent() {
		String painted = page().openWithoutEvents();
		assertThat(painted).contains("Sell without the lock", "Sell with the lock", "Kill two servers",
				"Kill a third one", "Pause a holder");
		assertThat(painted).contains("No sale is running", "5 of 5 vote, 3 are needed")
			.containsPattern("Sold\\s+0\\s+On the shelf\\s+300\\s+Oversold\\s+0");
		assertThat(painted.split("The server runs.", -1)).as("five servers in\n" + painted).hasSize(6);
	}

	@Test
	void aPageThatIsOpenedDuringASaleBeginsWithTheFiguresOfTheSale() {
		page().fill("units", 6_000);
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
		page().press("b", "kill");
		page().awaitState("UNAVAILABLE", "b");
		String painted = page().openWithoutEvents();
		assertThat(painted).contains("Selling with the lock", "4 of 5 vote, 3 are needed", "The server was killed.");
		assertThat(page().number("sold")).isGreaterThan(3);
		assertThat(page().value("units")).isEqualTo("6000");
	}

	@Test
	void ifNoEventArrivesThePageSaysThatTheApplicationDoesNotAnswer() {
		page().openWithoutEvents();
		page().awaitSituation("GONE");
		page().awaitState("UNKNOWN", "a", "b", "c", "d", "e");
	}

}
