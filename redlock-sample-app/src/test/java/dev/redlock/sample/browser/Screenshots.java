package dev.redlock.sample.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes the pictures of the documentation, but only when asked to: a build leaves the
 * tree as it is.
 */
final class Screenshots {

	static final boolean WANTED = Boolean.getBoolean("redlock.screenshots");

	private static final Path DIRECTORY = Path.of("..", "docs", "images");

	private static final int MOST_BYTES = 300_000;

	private final ChromeDriver browser;

	Screenshots(ChromeDriver browser) {
		this.browser = browser;
	}

	void take(String name, String element) {
		byte[] png = this.browser.findElement(By.id(element)).getScreenshotAs(OutputType.BYTES);
		assertThat(png.length).as("the size of " + name).isLessThan(MOST_BYTES);
		try {
			Files.createDirectories(DIRECTORY);
			Files.write(DIRECTORY.resolve(name + ".png"), png);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
