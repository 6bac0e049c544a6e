package dev.redlock.spring.autoconfigure;

import java.util.Map;

import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application is told whose restart guard is off.
 */
@ExtendWith(OutputCaptureExtension.class)
class RestartGuardOffTests extends ThreeServers {

	private static final String OFF = "redlock.restart-guard.enabled=false";

	private static final String WARNING = "WARN dev.redlock.node -- The restart guard is off (" + OFF + ")";

	@Test
	void eachStartWarns(CapturedOutput output) {
		application(OFF).run((context) -> assertThat(output).containsOnlyOnce(WARNING)
			.contains("a server that was restarted or emptied votes at once")
			.contains("two clients can hold the same lock"));
		application(OFF).run((context) -> assertThat(output.toString().split("The restart guard is off", -1))
			.as("text between warnings")
			.hasSize(3));
	}

	@Test
	void healthSaysSo() {
		application(OFF).run(
				(context) -> assertThat(details(context).get("restartGuard")).asString().contains("off").contains(OFF));
	}

	@Test
	void nothingIsSaidWhileItIsOn(CapturedOutput output) {
		application("redlock.restart-guard.enabled=true").run((context) -> {
			assertThat(details(context)).doesNotContainKey("restartGuard");
			assertThat(output).doesNotContain("The restart guard is off");
		});
	}

	@Test
	void nothingIsSaidOfServersThatAreThrownAway(CapturedOutput output) {
		ThrowAwayServers servers = new ThrowAwayServers(
				Map.of("a", new RedlockConnectionDetails.Node("127.0.0.1", a.port(), null, null)));
		this.runner.withBean(RedlockConnectionDetails.class, () -> servers)
			.withConfiguration(AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class))
			.withPropertyValues(OFF)
			.run((context) -> {
				assertThat(details(context)).doesNotContainKey("restartGuard");
				assertThat(output).doesNotContain("The restart guard is off");
			});
	}

	private ApplicationContextRunner application(String property) {
		return three().withPropertyValues(property)
			.withConfiguration(AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class));
	}

	private static Map<String, Object> details(AssertableApplicationContext context) {
		return context.getBean(HealthIndicator.class).health().getDetails();
	}

}
