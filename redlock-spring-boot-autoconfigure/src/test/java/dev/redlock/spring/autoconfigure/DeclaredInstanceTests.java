package dev.redlock.spring.autoconfigure;

import dev.redlock.spring.autoconfigure.endpoint.RedlockEndpointAutoConfiguration;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.util.ReflectionTestUtils;

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
			.run((context) -> assertThat(output).containsOnlyOnce("the lock does not check this")
				.contains("Redlock node 'b' is declared to keep each write that it has acknowledged"));
	}

	@Test
	void healthAndTheEndpointShowIt() {
		three()
			.withConfiguration(AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class,
					RedlockEndpointAutoConfiguration.class))
			.withPropertyValues(DECLARED + "=true", "management.endpoints.web.exposure.include=redlock")
			.run((context) -> {
				Object health = context.getBean(HealthIndicator.class).health().getDetails().get("nodes");
				assertThat(health).asString().containsOnlyOnce("keepsAcknowledgedWrites=declared, not checked");
				Object endpoint = ReflectionTestUtils.invokeMethod(context.getBean("redlockEndpoint"), "lock");
				assertThat(endpoint).asString()
					.containsOnlyOnce("keepsAcknowledgedWrites=declared, not checked")
					.contains("keepsAcknowledgedWrites=null");
			});
	}

}
