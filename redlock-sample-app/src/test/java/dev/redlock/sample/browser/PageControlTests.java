package dev.redlock.sample.browser;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Buttons that are pressed twice, quickly, or in two tabs, and what the page says aloud.
 */
class PageControlTests extends PageTest {

	@Test
	void aDoubleClickStartsOneSale() {
		page().doubleClick("open-locked");
		page().awaitMoreThan("sold", 10);
		page().run("const button = document.getElementById('open-unlocked'); button.click(); button.click();");
		page().awaitMoreThan("promised-too-often", 10);
		assertThat(page().text("notes").split("A sale of", -1)).as("two sales").hasSize(3);
	}

	@Test
	void aSaleThatIsRunningIsNotStartedAgain() {
		page().holdAnswers();
		page().click("open-locked");
		page().awaitMoreThan("sold", 10);
		page().await("the button to be pressed", () -> page().attribute("#open-locked", "aria-pressed").equals("true"));
		page().click("open-locked");
		page().awaitText("toast", "This sale is running already");
		assertThat(page().number("sold")).isGreaterThan(10);
	}

	@Test
	void buttonsTellTheirState() {
		assertThat(states()).isEqualTo("- - disabled disabled disabled disabled disabled");
		page().click("open-unlocked");
		page().await("a sale without the lock",
				() -> states().equals("- pressed - disabled disabled disabled disabled"));
		page().click("open-locked");
		page().await("a sale with the lock", () -> states().equals("pressed - - - disabled disabled -"));
		page().click("kill-two");
		page().await("two broken servers", () -> states().equals("pressed - - disabled - - -"));
		page().click("kill-three");
		page().await("three broken servers", () -> states().equals("pressed - - disabled disabled - disabled"));
		assertThat(page().attribute("[data-node='c'] [data-action='kill']", "aria-disabled")).isEqualTo("true");
		page().click("close");
		page().await("no sale", () -> states().equals("- - disabled disabled disabled - disabled"));
	}

	@Test
	void aSecondTabFillsItsFormFromTheState() {
		page().toggle("fence");
		page().fill("units", 777);
		page().fill("buyers", 3);
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
		inAnotherTab(address(), (other) -> {
			assertThat(other.value("units")).isEqualTo("777");
			assertThat(other.value("buyers")).isEqualTo("3");
			assertThat(other.run("return document.getElementById('fence').checked")).isEqualTo(false);
			assertThat(other.attribute("#open-locked", "aria-pressed")).isEqualTo("true");
			other.fill("units", 88);
			other.click("reset");
			other.await("full shelves", () -> other.number("left") == 88);
		});
		page().await("the units of the other tab", () -> page().value("units").equals("88"));
	}

	@ParameterizedTest
	@CsvSource({ "kill restart heal kill, The server was killed., UNAVAILABLE",
			"kill restart kill heal, The server runs., READY",
			"cut heal freeze kill restart, The server runs., READY" })
	void whatWasAskedLastIsDoneLast(String actions, String condition, String state) {
		page().run("""
				arguments[0].split(' ').forEach((action) =>
				  document.querySelector(`[data-node='b'] [data-action='${action}']`).click())
				""", actions);
		long done = Arrays.stream(actions.split(" ")).filter((action) -> !isIdle(actions, action)).count();
		page().await("all of " + actions, () -> page().text("notes").split("Node b was", -1).length > done);
		page().awaitState(state, "b");
		assertThat(page().condition("b")).isEqualTo(condition);
	}

	@Test
	void theSecondJvmIsInTheStateThatWasAskedForLast() {
		page().run("""
				const toggle = document.getElementById('second-jvm');
				[true, false, true].forEach((checked) => {
				  toggle.checked = checked;
				  toggle.dispatchEvent(new Event('change'));
				});
				""");
		// The first one may still become ready before it sees that it has to end.
		page().await("the second start", () -> page().text("notes").split("A second JVM is starting", -1).length == 3);
		page().await("the second JVM", () -> page().attribute("#jvm-two", "data-state").equals("RUNNING"));
		assertThat(page().text("notes").split("A second JVM is starting", -1)).as("two starts").hasSize(3);
	}

	@Test
	void onlyTheHeadlineAndTheVotesAreAnnouncedAndOnlyWhenTheyChange() {
		page()
			.run("""
					window.said = [];
					document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output').forEach((region) =>
					  new MutationObserver(() => window.said.push(region.textContent))
					    .observe(region, {subtree: true, childList: true, characterData: true}));
					""");
		page().click("open-locked");
		page().awaitMoreThan("sold", 80);
		page().press("a", "kill");
		page().await("the announcement of the votes",
				() -> said().contains("Selling with the lock. 4 of 5 nodes vote."));
		assertThat(said()).contains("Selling with the lock. 5 of 5 nodes vote.").hasSizeLessThan(5);
	}

	/**
	 * Healing a server that runs is not possible, and so is not asked for.
	 */
	private static boolean isIdle(String actions, String action) {
		return action.equals("heal") && actions.contains("restart heal");
	}

	private String states() {
		return String.valueOf(page().run("""
				return ['open-locked', 'open-unlocked', 'close', 'kill-two', 'kill-three', 'heal-three', 'pause']
				  .map((id) => document.getElementById(id)).map((button) =>
				    button.getAttribute('aria-pressed') === 'true' ? 'pressed'
				      : button.getAttribute('aria-disabled') === 'true' ? 'disabled' : '-').join(' ')
				"""));
	}

	private List<String> said() {
		return ((List<?>) page().run("return window.said")).stream().map(String::valueOf).toList();
	}

}
