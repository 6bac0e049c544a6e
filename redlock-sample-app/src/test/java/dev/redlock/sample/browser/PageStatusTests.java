package dev.redlock.sample.browser;

import java.util.List;

import dev.redlock.sample.ApplicationProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What stays in view: the headline, the votes, and the holders at once.
 */
class PageStatusTests extends PageTest {

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

}
