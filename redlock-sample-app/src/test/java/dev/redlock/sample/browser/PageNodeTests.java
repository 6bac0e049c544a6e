package dev.redlock.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of the sale when servers are broken.
 */
@Tag("slow")
class PageNodeTests extends PageTest {

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
	void aPauseWithoutAQuorumSaysThatNoHolderCanBePaused() {
		sell();
		page().press("a", "kill");
		page().press("b", "kill");
		page().press("c", "kill");
		page().awaitSituation("NO_QUORUM");
		page().click("pause");
		page().awaitText("toast", "no buyer gets the lock and none can be paused. Heal a node first.");
		// The browser writes down that it was refused.
		page().complaints();
	}

	@Test
	void aPauseBeforeTheLossOfTheQuorumIsNoticedSaysThatItWaits() {
		sell();
		page().press("a", "freeze");
		page().press("b", "freeze");
		page().press("c", "freeze");
		page().click("pause");
		page().await("an answer of the page", () -> page().text("result-pause").contains("stand")
				|| page().text("toast").contains("none can be paused"));
		page().complaints();
	}

	@Test
	void aNodeThatIsRestartedEmptyIsInQuarantineAndVotesAgain() {
		page().press("d", "restart");
		page().awaitState("QUARANTINED", "d");
		assertThat(page().reason("d")).contains("votes again in");
		page().awaitText("notes", "Node d is in quarantine");
		page().awaitState("READY", "d");
	}

	private void sell() {
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
	}

}
