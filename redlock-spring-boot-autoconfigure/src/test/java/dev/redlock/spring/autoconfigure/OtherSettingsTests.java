package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;

import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import dev.redlock.spring.autoconfigure.observation.RedlockObservationAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose nodes, or whose {@code max-ttl}, differ from those of another one
 * is told at its first connection.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherSettingsTests extends ThreeServers {

	private static final Duration SOON = Duration.ofSeconds(15);

	@Test
	void anotherMaxTtlIsInTheLogInHealthAndInAMeter(CapturedOutput output) {
		guarded().withPropertyValues("redlock.max-ttl=60s", "redlock.owner=shop@one").run((first) -> {
			Awaitility.await().atMost(SOON).until(() -> isAnnounced(60_000));
			assertThat(details(first)).doesNotContainKey("otherSettings");
			assertThat(gauge(first)).isZero();
			guarded().withPropertyValues("redlock.max-ttl=90s").run((second) -> {
				Awaitility.await().atMost(SOON).until(() -> details(second).containsKey("otherSettings"));
				assertThat((String) details(second).get("otherSettings"))
					.contains("Another client has other settings: 'shop@one', last seen ")
					.contains("max-ttl of 90000 ms")
					.contains("max-ttl of 60000 ms")
					.contains("Give all clients the same redlock.max-ttl");
				assertThat(gauge(second)).isOne();
				assertThat(second.getBean(LockNodes.class).membershipProblem()).isPresent();
				assertThat(output).containsPattern("WARN.*Another client has other settings");
			});
		});
	}

	private ApplicationContextRunner guarded() {
		return three().withPropertyValues("redlock.restart-guard.enabled=true")
			.withConfiguration(actuator())
			.withBean(SimpleMeterRegistry.class);
	}

	private static AutoConfigurations actuator() {
		return AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class,
				RedlockObservationAutoConfiguration.class);
	}

	private static boolean isAnnounced(long maxTtlMillis) {
		return String.valueOf(c.<String>ask((redis) -> redis.get("redlock:{redlock-node}:clients")))
			.contains(" " + maxTtlMillis + " ");
	}

	private static Map<String, Object> details(ApplicationContext context) {
		return context.getBean(HealthIndicator.class).health().getDetails();
	}

	private static double gauge(ApplicationContext context) {
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
		return registry.get("redlock.settings.differ").gauge().value();
	}

}
