package dev.redlock.sample.browser;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.openqa.selenium.SessionNotCreatedException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * Finds Chromium or Chrome and its driver on this machine. Nothing is downloaded.
 */
final class Browser {

	static final String MISSING = "The tests of the page need chromium (or google-chrome) and chromedriver on the PATH."
			+ " On Debian and Ubuntu: apt-get install chromium chromium-driver";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome",
			"google-chrome-stable");

	private static final List<String> DRIVERS = List.of("chromedriver");

	private Browser() {
	}

	static boolean isHere() {
		return !find(BROWSERS).isEmpty() && !find(DRIVERS).isEmpty();
	}

	static ChromeDriver open() {
		if (!isHere()) {
			throw new IllegalStateException(MISSING);
		}
		return open(find(BROWSERS), find(DRIVERS).get(0));
	}

	/**
	 * A driver drives browsers of its own version only, and a machine may have several.
	 */
	private static ChromeDriver open(List<File> browsers, File driver) {
		SessionNotCreatedException failure = new SessionNotCreatedException("No browser fits " + driver);
		for (File browser : browsers) {
			try {
				ChromeDriver chrome = new ChromeDriver(
						new ChromeDriverService.Builder().usingDriverExecutable(driver).usingAnyFreePort().build(),
						options(browser));
				chrome.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
				return chrome;
			}
			catch (SessionNotCreatedException ex) {
				failure.addSuppressed(ex);
			}
		}
		throw failure;
	}

	private static ChromeOptions options(File browser) {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(browser);
		options.addArguments("--headless=new", "--disable-dev-shm-usage", "--disable-background-networking",
				"--hide-scrollbars", "--force-device-scale-factor=1");
		// Otherwise each page is drawn sixty times a second, by the processor.
		options.addArguments("--force-prefers-reduced-motion");
		// Containers run as root and without user namespaces, and the page is our own.
		options.addArguments("--no-sandbox");
		options.setExperimentalOption("prefs", Map.of("credentials_enable_service", false));
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		return options;
	}

	private static List<File> find(List<String> names) {
		return names.stream().flatMap(Browser::onPath).toList();
	}

	private static Stream<File> onPath(String name) {
		return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
			.splitAsStream(System.getenv("PATH"))
			.map((directory) -> new File(directory, name))
			.filter((file) -> file.isFile() && file.canExecute());
	}

}
