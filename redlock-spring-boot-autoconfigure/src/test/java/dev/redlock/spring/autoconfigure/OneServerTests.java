package dev.redlock.spring.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks on one server, which is a supported way to begin.
 */
@ExtendWith(OutputCaptureExtension.class)
class OneServerTests extends ThreeServers {

	@Test
	void oneInstanceIsWarnedAboutOnceAndTheWarningSaysThatOnlyAvailabilityIsMissing(CapturedOutput output) {
		one().run((context) -> assertThat(warnings(output)).singleElement()
			.asString()
			.contains("Locks rest on one Redis instance: no lock can be acquired while that instance is down")
			.contains("nor for 1000 ms (redlock.max-ttl) after the instance has lost its data")
			.contains("With three instances, one may be down."));
	}

	@Test
	void withTheGuardOffNothingIsSaidAboutPromises(CapturedOutput output) {
		one().withPropertyValues("redlock.restart-guard.enabled=false")
			.run((context) -> assertThat(output)
				.containsOnlyOnce(
						"Locks rest on one Redis instance: no lock can be acquired while that instance is down.")
				.contains("The restart guard is off")
				.doesNotContain("the same promises"));
	}

	private ApplicationContextRunner one() {
		return this.runner.withPropertyValues("redlock.instances.a=redis://127.0.0.1:" + a.port(), "redlock.max-ttl=1s",
				"redlock.ttl=1s");
	}

	private static Iterable<String> warnings(CapturedOutput output) {
		return output.getOut().lines().filter((line) -> line.contains("one Redis instance")).toList();
	}

}
