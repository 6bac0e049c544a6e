package dev.redlock.spring.autoconfigure;

import java.time.Clock;
import java.util.Map;

import dev.redlock.Redlock;
import dev.redlock.spring.endpoint.RedlockEndpoint;
import dev.redlock.spring.health.RedlockHealthIndicator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances whose operator declares that they keep each write that they have answered.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredInstanceTests extends ThreeServers {

	private static final String DECLARED = "redlock.instances.b.keeps-acknowledged-writes";

	@Test
	void theDeclarationIsInTheLogOfTheStartForTheInstanceThatHasIt(CapturedOutput output) {
		three().withPropertyValues(DECLARED + "=true")
			.run((context) -> assertThat(output).containsOnlyOnce("declared, not checked")
				.contains("Redlock node 'b' is said to keep each write that it has acknowledged"));
	}

	@Test
	void withoutOneNothingIsSaid(CapturedOutput output) {
		three().withPropertyValues(DECLARED + "=false")
			.run((context) -> assertThat(output).doesNotContain("declared, not checked"));
	}

	@Test
	void healthAndTheEndpointShowIt() {
		three().withPropertyValues(DECLARED + "=true").run((context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			Object nodes = new RedlockHealthIndicator(redlock, Clock.systemUTC()).health().getDetails().get("nodes");
			assertThat(((Map<?, ?>) nodes).get("b")).hasToString("NodeDetails[state=READY, reason=null, until=null, "
					+ "keepsAcknowledgedWrites=declared, not checked]");
			assertThat(((Map<?, ?>) nodes).get("a")).asString().contains("keepsAcknowledgedWrites=null");
			assertThat(new RedlockEndpoint(redlock, false, Clock.systemUTC()).lock()).asString()
				.containsOnlyOnce("keepsAcknowledgedWrites=declared, not checked")
				.contains("keepsAcknowledgedWrites=null");
		});
	}

	@Test
	void anotherWordIsRefused() {
		three().withPropertyValues("redlock.instances.b.keeps-acknowledged-write=true")
			.run((context) -> assertThat(context).hasFailed());
	}

}
