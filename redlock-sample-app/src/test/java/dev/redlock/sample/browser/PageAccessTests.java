package dev.redlock.sample.browser;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * By keyboard, on a phone, in the dark, and over a connection that breaks.
 */
@Tag("slow")
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

}
