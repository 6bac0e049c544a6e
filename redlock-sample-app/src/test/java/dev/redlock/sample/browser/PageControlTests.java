package dev.redlock.sample.browser;

import org.junit.jupiter.api.Test;

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

	private String states() {
		return String.valueOf(page().run("""
				return ['open-locked', 'open-unlocked', 'close', 'kill-two', 'kill-three', 'heal-three', 'pause']
				  .map((id) => document.getElementById(id)).map((button) =>
				    button.getAttribute('aria-pressed') === 'true' ? 'pressed'
				      : button.getAttribute('aria-disabled') === 'true' ? 'disabled' : '-').join(' ')
				"""));
	}

}
