package dev.redlock.docs.operations;

import java.net.http.HttpResponse;

import com.jayway.jsonpath.JsonPath;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.ScriptedRedlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names of which the path of a request loses something.
 */
@SpringBootTest(classes = ObservedApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "management.endpoint.redlock.access=unrestricted",
				"management.endpoints.web.exposure.include=*" })
@ScriptedRedlock(nodes = 3)
class EndpointNameTests {

	private final Browser browser;

	private final Redlock redlock;

	EndpointNameTests(@Autowired Environment environment, @Autowired Redlock redlock) {
		this.browser = new Browser(environment.getRequiredProperty("local.server.port", Integer.class));
		this.redlock = redlock;
	}

	@Test
	void aReleaseOfANameWithTwoSlashesLeavesTheOtherLockAlone() {
		try (Lease other = this.redlock.attemptAndWait(LockRequest.of("a/b")).orThrow()) {
			assertThat(this.browser.send("DELETE", "/actuator/redlock/a//b").statusCode()).isEqualTo(400);
			assertThat(this.browser.send("DELETE", "/actuator/redlock/a/b?name=a//b").statusCode()).isEqualTo(404);
			assertThat(this.browser.send("DELETE", "/actuator/redlock/c?name=a/b").statusCode()).isEqualTo(400);
			assertThat(other.isValid()).isTrue();
			assertThat(this.browser.send("DELETE", "/actuator/redlock/a/b?name=a/b").statusCode()).isEqualTo(200);
			assertThat(other.isValid()).isFalse();
		}
	}

	@ParameterizedTest
	@CsvSource({ "/data/x,data/x", "data/x/,data/x", "a//b,a/b" })
	void aNameThatAPathCannotHaveIsAskedForByItsParameter(String name, String path) {
		try (Lease lease = this.redlock.attemptAndWait(LockRequest.of(name)).orThrow()) {
			assertThat(lease.isValid()).isTrue();
			HttpResponse<String> answer = this.browser.get("/actuator/redlock/" + path + "?name=" + name);
			assertThat(JsonPath.<String>read(answer.body(), "$.resource")).isEqualTo(name);
			assertThat(JsonPath.<String>read(answer.body(), "$.verdict")).isEqualTo("HELD");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "%7Bredlock-node%7Dx", "a%0Ab" })
	void aNameThatCannotBeLockedIsTheMistakeOfTheClient(String path) {
		assertThat(this.browser.get("/actuator/redlock/" + path).statusCode()).isEqualTo(400);
	}

}
