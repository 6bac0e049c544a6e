package dev.redlock.sample.browser;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;

import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page as its user sees it. Whatever is waited for comes within a bound.
 */
final class Page {

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final Duration LOOK_EVERY = Duration.ofMillis(50);

	private static final int MOST_TABS = 80;

	private final ChromeDriver browser;

	private final String address;

	Page(ChromeDriver browser, String address) {
		this.browser = browser;
		this.address = address;
	}

	void open(int width, int height) {
		this.browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
		this.browser.get(this.address);
		awaitFirstEvent();
		watchLayout();
	}

	void colours(String scheme) {
		this.browser.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	void fill(String id, int number) {
		WebElement field = this.browser.findElement(By.id(id));
		field.clear();
		field.sendKeys(Integer.toString(number));
	}

	void click(String id) {
		click(By.id(id));
	}

	/**
	 * A switch is its label: the box itself cannot be seen.
	 */
	void toggle(String id) {
		click(By.xpath("//label[input[@id='" + id + "']]"));
	}

	void press(String node, String action) {
		click(By.cssSelector("[data-node='" + node + "'] [data-action='" + action + "']"));
	}

	String text(String id) {
		return seen("#" + id);
	}

	int number(String id) {
		return Integer.parseInt(text(id).replace(",", ""));
	}

	String attribute(String selector, String name) {
		return String
			.valueOf(run("return document.querySelector(arguments[0]).getAttribute(arguments[1])", selector, name));
	}

	String reason(String node) {
		return seen("[data-node='" + node + "'] .reason");
	}

	String situation() {
		return attribute("#situation", "data-code");
	}

	void awaitText(String id, String part) {
		await("'" + part + "' in #" + id, () -> text(id).contains(part));
	}

	void awaitState(String state, String... nodes) {
		await(List.of(nodes) + " to be " + state, () -> (boolean) run("""
				const [state, nodes] = arguments;
				return nodes.every((node) => document.querySelector(`[data-node='${node}']`).dataset.state === state);
				""", state, List.of(nodes)));
	}

	void awaitSituation(String code) {
		await("the situation " + code, () -> situation().equals(code));
	}

	void awaitMoreThan(String id, int least) {
		await(id + " over " + least, () -> number(id) > least);
	}

	void await(String what, BooleanSupplier condition) {
		new WebDriverWait(this.browser, PATIENCE, LOOK_EVERY)
			.withMessage(() -> "Waited for " + what + ". The page shows: " + text("situation-headline")
					+ "; late write: " + attribute("#steps", "data-outcome") + "; notes: " + text("notes"))
			.until((ignored) -> condition.getAsBoolean());
	}

	/**
	 * Moves the focus as the Tab key does until it is on an element.
	 */
	void tabTo(String selector) {
		for (int i = 0; i < MOST_TABS; i++) {
			type(Keys.TAB);
			if ((boolean) run("return document.activeElement.matches(arguments[0])", selector)) {
				return;
			}
		}
		throw new AssertionError("The Tab key never came to " + selector);
	}

	void type(CharSequence keys) {
		new Actions(this.browser).sendKeys(keys).perform();
	}

	Object run(String script, Object... arguments) {
		return this.browser.executeScript(script, arguments);
	}

	double layoutShift() {
		return ((Number) run("return window.shifts")).doubleValue();
	}

	/**
	 * What the browser complains about, and forgets it.
	 */
	List<String> complaints() {
		return this.browser.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	/**
	 * The text that a reader sees. One script costs the browser less than to find the
	 * element and then to read it, and a test that waits looks many times.
	 */
	private String seen(String selector) {
		return String.valueOf(run("""
				const element = document.querySelector(arguments[0]);
				return element.checkVisibility() ? element.innerText.trim() : '';
				""", selector));
	}

	/**
	 * Scrolls first, as a reader would: what stays in view would cover the element.
	 */
	private void click(By by) {
		WebElement element = this.browser.findElement(by);
		run("arguments[0].scrollIntoView({block: 'nearest'})", element);
		element.click();
	}

	/**
	 * A list whose newest comes first is meant to move.
	 */
	private void watchLayout() {
		run("""
				window.shifts = 0;
				const notes = document.getElementById('notes');
				const unwanted = (entry) => !entry.hadRecentInput
				  && entry.sources.some((source) => !notes.contains(source.node));
				new PerformanceObserver((list) => list.getEntries().filter(unwanted)
				  .forEach((entry) => { window.shifts += entry.value; })).observe({type: 'layout-shift', buffered: true});
				""");
	}

	private void awaitFirstEvent() {
		await("the first event", () -> attribute("#link", "data-link").equals("live"));
	}

}
