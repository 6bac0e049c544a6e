package dev.redlock.sample.browser;

import java.util.List;

import dev.redlock.sample.ApplicationProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What stays in view: the headline, the votes, and the holders at once.
 */
class PageStatusTests extends PageTest {

	private static final String[] WORDS_OF_PROGRAMMERS = { "NO_QUORUM", "HELD", "READY", "QUARANTINED", "UNAVAILABLE",
			"p99" };

	@Test
	void whileTooFewNodesVoteTheHeadlineNeverSaysThatItSells() {
		sell();
		recordHeadlines();
		page().click("kill-two");
		page().awaitState("UNAVAILABLE", "a", "b");
		page().click("kill-three");
		page().awaitSituation("NO_QUORUM");
		page().awaitText("situation-text", "Heal a node to go on.");
		assertThat(page().attribute("#pause", "aria-disabled")).isEqualTo("true");
		page().click("pause");
		page().awaitText("toast", "so no buyer gets the lock");
		// The browser writes down each answer that is an error.
		page().complaints();
		page().click("heal-three");
		page().awaitState("QUARANTINED", "a", "b", "c");
		page().awaitText("situation-text", "Enough nodes vote again in");
		assertThat(page().situation()).isEqualTo("NO_QUORUM");
		assertThat(page().text("situation-headline")).startsWith("Nothing is sold: ");
		page().awaitState("READY", "a", "b", "c");
		page().awaitSituation("SELLING");
		assertThat(page().run("return window.headlines.length")).isNotEqualTo(0L);
		assertThat(page().run("return window.headlines.filter((line) => /^[012] of 5 .*selling/i.test(line))"))
			.isEqualTo(List.of());
	}

	@Test
	void withoutASaleTheHeadlineSaysThatNoLockIsPossible() {
		page().press("a", "kill");
		page().press("b", "kill");
		page().press("c", "kill");
		page().awaitText("situation-headline", "No lock is possible: 2 of 5 nodes vote");
		page().click("heal-all");
		page().awaitText("situation-headline", "No sale is running");
	}

	@Test
	@Tag("slow")
	void whenTheJvmIsGoneTheHeadlineSaysSoAndNothingIsKnownAboutTheNodes() throws Exception {
		try (ApplicationProcess application = ApplicationProcess.start()) {
			inAnotherTab(application.address(), (page) -> {
				page.awaitState("READY", "a", "b", "c", "d", "e");
				page.click("open-locked");
				page.awaitMoreThan("sold", 3);
				signal(application, "STOP");
				gone(page);
				signal(application, "CONT");
				page.awaitSituation("SELLING");
				page.awaitState("READY", "a", "b", "c", "d", "e");
				application.handle().destroyForcibly();
				gone(page);
				page.click("kill-two");
				page.awaitText("toast", "Is it still running?");
				page.awaitState("UNKNOWN", "a", "b", "c", "d", "e");
				// The browser writes down each attempt to connect again.
				page.complaints();
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "1280, 720", "390, 844" })
	void theHeadlineTheVotesAndTheHoldersStayInViewBesideWhatIsBroken(int width, int height) {
		page().open(width, height);
		sell();
		for (String node : List.of("a", "e")) {
			page().press(node, "kill");
			assertThat(inView("#situation-headline", "#quorum", "#holders", "#holders-text",
					"[data-node='" + node + "'] [data-action='kill']", "[data-node='" + node + "'] .state"))
				.isEqualTo(List.of());
		}
		page().run("scrollTo(0, document.body.scrollHeight)");
		assertThat(inView("#situation-headline", "#quorum", "#promised-too-often", "#holders")).isEqualTo(List.of());
		assertThat(page().run("return document.querySelector('#status').offsetHeight / innerHeight < 0.3"))
			.isEqualTo(true);
	}

	@Test
	void theRowOfHoldersShowsOverlapWithoutTheLockAndNoneWithIt() {
		page().fill("buyers", 6);
		page().click("open-unlocked");
		page().awaitText("holders-text", "so they overwrite each other");
		assertThat(Integer.parseInt(page().attribute("#holders", "data-most"))).isBetween(2, 6);
		page().click("open-locked");
		page().awaitText("situation-headline", "Selling with the lock");
		// The row is drawn a moment behind the number of sales, so both are awaited.
		page().await("60 sales and one holder at a time", () -> {
			assertThat(page().attribute("#holders", "data-most")).isIn("0", "1");
			return page().number("sold") > 60 && page().text("holders-text").equals("at most 1");
		});
	}

	@Test
	void aHolderWhoseLockHasEndedIsShownBesideTheNextOne() {
		sell();
		page().click("pause");
		page().awaitText("holders-text", "at most 1, and one whose lock has ended");
	}

	@Test
	void thePageSpeaksInWordsAndNotInTheNamesOfThePrograms() {
		sell();
		page().click("pause");
		page().awaitSituation("HELD");
		page().await("the late write", () -> page().attribute("#steps", "data-outcome").equals("REFUSED"));
		page().press("a", "cut");
		page().press("b", "cut");
		page().press("c", "cut");
		page().awaitText("notes", "Too few nodes voted");
		page().press("d", "restart");
		page().awaitState("QUARANTINED", "d");
		String text = String.valueOf(page().run("return document.body.innerText"));
		assertThat(text).doesNotContain(WORDS_OF_PROGRAMMERS).doesNotContainPattern("[0-9]{10}");
	}

	private void sell() {
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
	}

	/**
	 * Notes the votes and the headline after each change.
	 */
	private void recordHeadlines() {
		page().run("""
				const text = (id) => document.getElementById(id).textContent;
				window.headlines = [];
				new MutationObserver(() => window.headlines.push(`${text('quorum')}: ${text('situation-headline')}`))
				  .observe(document.getElementById('status'), {subtree: true, childList: true, characterData: true});
				""");
	}

	private void gone(Page page) {
		page.awaitSituation("GONE");
		assertThat(page.text("situation-headline")).isEqualTo("The application does not answer");
		assertThat(page.text("quorum")).isEqualTo("It is not known which nodes vote");
		page.awaitState("UNKNOWN", "a", "b", "c", "d", "e");
		assertThat(page.attribute("[data-node='a'] [data-action='kill']", "aria-disabled")).isEqualTo("true");
	}

	private static void signal(ApplicationProcess application, String name) {
		try {
			application.signal(name);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	/**
	 * The elements that a reader cannot see, because they are outside of the window or
	 * covered.
	 */
	private Object inView(String... selectors) {
		return page().run(
				"""
						return [...arguments].filter((selector) => {
						  const element = document.querySelector(selector);
						  const box = element.getBoundingClientRect();
						  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
						  return box.top < 0 || box.bottom > innerHeight || !top || !(element.contains(top) || top.contains(element));
						})
						""",
				(Object[]) selectors);
	}

}
