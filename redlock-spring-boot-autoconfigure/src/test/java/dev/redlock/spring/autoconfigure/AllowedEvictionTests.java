package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose policy may evict keys.
 */
@ExtendWith(OutputCaptureExtension.class)
class AllowedEvictionTests extends ThreeServers {

	@BeforeEach
	void evict() {
		List.of(a, b, c).forEach((server) -> server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru"));
	}

	@Test
	void aServerThatMayEvictDoesNotVoteAndTheMessageNamesBothWaysOut() {
		evicting(true).run((context) -> {
			awaitAll(context, State.UNFIT);
			assertThat(context.getBean(LockNodes.class).list())
				.allSatisfy((node) -> assertThat(node.status().reason()).contains("allkeys-lru")
					.contains("Set the policy to noeviction")
					.contains("redlock.allow-eviction"));
			assertThat(details(context)).doesNotContainKey("eviction");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void withEvictionAllowedItVotesWhateverTheRestartGuardIsAndTellsWhatGoesWithAnEviction(boolean guarded,
			CapturedOutput output) {
		evicting(guarded).withPropertyValues("redlock.allow-eviction=true").run((context) -> {
			awaitAll(context, State.READY);
			assertThat(context.getBean(Redlock.class).attemptAndWait(LockRequest.of("stock")).lease()).isPresent();
			assertThat((String) details(context).get("eviction")).contains("a=allkeys-lru")
				.contains("a lock that is held")
				.contains("a fence counter, so late writes pass")
				.contains("the record of a job")
				.contains("ticket");
			assertThat(output.getOut().lines().filter((line) -> line.contains("may evict keys {a="))).hasSize(1);
			assertThat(output).containsPattern("WARN.*may evict keys \\{a=allkeys-lru\\}");
		});
	}

	private ApplicationContextRunner evicting(boolean guarded) {
		return three()
			.withPropertyValues("redlock.restart-guard.enabled=" + guarded, "redlock.ttl=1s", "redlock.max-ttl=1s")
			.withConfiguration(AutoConfigurations.of(RedlockHealthContributorAutoConfiguration.class));
	}

	private static void awaitAll(ApplicationContext context, State state) {
		LockNodes nodes = context.getBean(LockNodes.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.until(() -> nodes.list().stream().allMatch((node) -> node.status().state() == state));
	}

	private static Map<String, Object> details(ApplicationContext context) {
		return context.getBean(HealthIndicator.class).health().getDetails();
	}

}
