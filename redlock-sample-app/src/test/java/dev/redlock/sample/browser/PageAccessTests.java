package dev.redlock.sample.browser;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * By keyboard, on a phone, in the dark, and over a connection that breaks.
 */
class PageAccessTests extends PageTest {

	@Test
	void everythingCanBeDoneWithTheKeyboardAlone() {
		page().tabTo("#open-locked");
		focusIsVisible();
		page().type(Keys.ENTER);
		page().awaitMoreThan("sold", 3);
		page().tabTo("[data-node='a'] [data-action='kill']");
		focusIsVisible();
		page().type(Keys.SPACE);
		page().awaitState("UNAVAILABLE", "a");
		page().tabTo("[data-node='a'] [data-action='heal']");
		page().type(Keys.ENTER);
		page().awaitState("READY", "a");
		page().tabTo("#fence");
		page().type(Keys.SPACE);
		page().awaitText("situation-headline", "fences unchecked");
		page().tabTo("#notes");
		page().tabTo("#theme");
		page().type(Keys.ENTER);
		page().await("the dark", () -> page().attribute("html", "data-theme").equals("dark"));
		page().tabTo("#close");
		page().type(Keys.ENTER);
		page().awaitText("situation-headline", "The sale was stopped");
		page().run("localStorage.clear()");
	}

	@Test
	void everyControlHasANameAndChangesAreAnnounced() {
		assertThat(page().run("""
				return [...document.querySelectorAll('button, input')].filter((control) =>
				  !(control.getAttribute('aria-label') || control.labels?.length || control.textContent.trim()))
				  .map((control) => control.outerHTML)
				""")).isEqualTo(List.of());
		assertThat(page().attribute("[data-node='c']", "role")).isEqualTo("group");
		assertThat(page().attribute("[data-node='c']", "aria-label")).isEqualTo("Node c");
		page().click("open-locked");
		page().await("an announcement",
				() -> String.valueOf(page().run("return document.getElementById('announcer').textContent"))
					.contains("Selling with the lock"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 768, 1280 })
	void thePageFitsItsWindow(int width) {
		page().open(width, 800);
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
		assertThat(page().run("return document.documentElement.scrollWidth")).isEqualTo((long) width);
		assertThat(page().run("""
				return [...document.querySelectorAll('main *')].filter((part) => {
				  const box = part.getBoundingClientRect();
				  return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5);
				}).map((part) => part.outerHTML)
				""")).isEqualTo(List.of());
	}

	@Test
	void theDarkIsFollowedOrChosenAndTheChoiceIsRemembered() {
		page().colours("dark");
		assertThat(brightness()).isLessThan(60);
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
		page().click("theme");
		assertThat(brightness()).isGreaterThan(200);
		page().reload();
		assertThat(brightness()).isGreaterThan(200);
		page().run("localStorage.clear()");
	}

	@Test
	void aBrokenConnectionIsShownAndFoundAgain(@Autowired ApplicationContext context) {
		page().click("open-locked");
		page().awaitMoreThan("sold", 3);
		SmartLifecycle broadcast = context.getBean("broadcast", SmartLifecycle.class);
		broadcast.stop();
		page().await("the loss", () -> page().attribute("#link", "data-link").equals("lost"));
		int sold = page().number("sold");
		broadcast.start();
		page().await("the connection", () -> page().attribute("#link", "data-link").equals("live"));
		page().awaitMoreThan("sold", sold);
		// The browser writes down that it was refused.
		page().complaints();
	}

	@Test
	void nothingComesFromOutside() {
		assertThat(page().run("""
				return performance.getEntriesByType('resource').map((entry) => entry.name)
				  .filter((name) => !name.startsWith(arguments[0]))
				""", address())).isEqualTo(List.of());
	}

	private void focusIsVisible() {
		assertThat(page().run("""
				const style = getComputedStyle(document.activeElement);
				return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
				""")).isEqualTo(true);
	}

	private double brightness() {
		return ((Number) page().run("""
				const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number);
				return (red + green + blue) / 3
				""")).doubleValue();
	}

}
