package dev.redlock.sample.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.chrome.ChromeDriver;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One application and one browser, and a page that nobody has touched for each test.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(NeedsBrowser.class)
abstract class PageTest {

	private static final int WIDTH = 1280;

	private static final int HEIGHT = 1000;

	private final HttpClient client = HttpClient.newHttpClient();

	private ChromeDriver browser;

	private String address;

	private Page page;

	@BeforeAll
	void openBrowser(@Autowired Environment environment) {
		this.address = "http://localhost:" + environment.getProperty("local.server.port") + "/";
		this.browser = Browser.open();
		this.page = new Page(this.browser, this.address);
	}

	@AfterAll
	void closeBrowser() throws Exception {
		if (this.browser != null) {
			press("second-jvm?running=false");
			press("sale/reset?units=300");
			this.browser.quit();
		}
	}

	@BeforeEach
	void openPage() throws Exception {
		press("second-jvm?running=false");
		press("nodes/heal");
		press("fence?checked=true");
		press("sale/reset?units=300");
		this.page.colours("light");
		this.page.open(WIDTH, HEIGHT);
		this.page.awaitState("READY", "a", "b", "c", "d", "e");
		this.page.complaints();
	}

	@AfterEach
	void browserHasNoComplaints() {
		assertThat(this.page.complaints()).isEmpty();
	}

	Page page() {
		return this.page;
	}

	String address() {
		return this.address;
	}

	private void press(String button) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.address + "demo/" + button))
			.timeout(Duration.ofSeconds(30))
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		assertThat(this.client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(204);
	}

}
