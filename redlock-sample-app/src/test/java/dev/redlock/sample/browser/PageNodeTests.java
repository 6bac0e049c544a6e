package dev.redlock.sample.browser;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of the sale when servers are broken.
 */
class PageNodeTests extends PageTest {

	@Test
	void withTwoNodesKilledTheSaleGoesOn() {
		sell();
		page().press("a", "kill");
		page().press("b", "kill");
		page().awaitState("UNAVAILABLE", "a", "b");
		assertThat(page().run("""
				return [...document.querySelectorAll('.reason')].every((text) => text.scrollHeight <= text.clientHeight)
				""")).as("each reason is shown whole").isEqualTo(true);
		int sold = page().number("sold");
		page().awaitMoreThan("sold", sold + 20);
		assertThat(page().situation()).isEqualTo("SELLING");
		assertThat(page().text("quorum")).startsWith("3 of 5 vote");
		assertThat(page().layoutShift()).isLessThan(0.01);
	}

	@Test
	void withThreeNodesKilledThePageSaysWhyItStandsStillAndItGoesOnWhenOneIsHealed() {
		sell();
		page().press("a", "kill");
		page().press("b", "kill");
		page().press("c", "kill");
		page().awaitSituation("NO_QUORUM");
		page().awaitText("situation-text", "3 of 5 nodes cannot vote (a, b, c), and a lock needs 3");
		assertThat(page().text("situation-headline")).isEqualTo("Nothing is sold: 2 of 5 nodes vote");
		assertThat(page().text("quorum")).startsWith("2 of 5 vote, 3 are needed");
		int sold = page().number("sold");
		page().press("c", "heal");
		page().awaitState("QUARANTINED", "c");
		// The buyer that held the lock when the quorum was lost may still write.
		assertThat(page().number("sold")).as("sold without a quorum").isBetween(sold, sold + 1);
		page().awaitState("READY", "c");
		page().awaitMoreThan("sold", sold + 3);
		page().awaitSituation("SELLING");
	}

	@Test
	void buyersGiveUpAndSayWhyWhenThereIsNoQuorumForTooLong() {
		sell();
		page().press("c", "cut");
		page().press("d", "cut");
		page().press("e", "cut");
		page().awaitText("notes", "Too few nodes voted");
		page().click("heal-all");
		int sold = page().number("sold");
		page().awaitMoreThan("sold", sold + 3);
	}

	@Test
	void aNodeThatIsRestartedEmptyIsInQuarantineAndVotesAgain() {
		page().press("d", "restart");
		page().awaitState("QUARANTINED", "d");
		assertThat(page().reason("d")).contains("votes again in");
		page().awaitText("notes", "Node d is in quarantine");
		page().awaitState("READY", "d");
	}

	@Test
	void aNodeThatIsFrozenIsNoticedAndVotesAgainWhenItIsHealed() {
		page().press("e", "freeze");
		page().await("it to be frozen", () -> page().reason("e").contains("not noticed yet"));
		page().awaitState("UNAVAILABLE", "e");
		page().press("e", "heal");
		page().awaitState("READY", "e");
	}

	@Test
	void aNodeThatIsCutOffKeepsItsLocksAndVotesAsSoonAsItIsBack() {
		page().press("b", "cut");
		page().awaitState("UNAVAILABLE", "b");
		page().press("b", "heal");
		page().awaitState("READY", "b");
		assertThat(page().text("notes")).doesNotContain("quarantine");
	}

	@Test
	void aButtonThatDoesNotApplySaysSo() {
		page().press("a", "heal");
		page().awaitText("toast", "There is nothing to heal");
	}

	private void sell() {
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
	}

}
