package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Phaser;

import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockReactiveAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.Operation;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * With {@code redlock.enabled=false} the only node is in the memory of the application,
 * so each instance leads.
 */
class RedlockLeaderAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, RedlockAutoConfiguration.class,
				RedlockReactiveAutoConfiguration.class, RedlockAnnotationAutoConfiguration.class,
				RedlockLeaderAutoConfiguration.class))
		.withPropertyValues("redlock.enabled=false", "redlock.owner=tests",
				"management.endpoints.web.exposure.include=*")
		.withBean(Events.class)
		.withBean(LeaderMistakes.Fine.class);

	@Test
	void withoutLocksEachInstanceLeads() {
		this.runner.run((one) -> this.runner.run((two) -> {
			awaitLeader(one.getBean(LeaderTemplate.class).role("importer"));
			awaitLeader(two.getBean(LeaderTemplate.class).role("importer"));
		}));
	}

	/**
	 * A function may run for a whole term. In a pool of eight, the ninth would never
	 * begin.
	 */
	@Test
	void withoutAnExecutorOfTheApplicationTheFunctionsOfAllRolesRunAtTheSameTime() {
		int roles = 12;
		Phaser running = new Phaser(roles);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class,
					RedlockAnnotationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class))
			.withPropertyValues("redlock.enabled=false")
			.run((context) -> {
				LeaderTemplate leaders = context.getBean(LeaderTemplate.class);
				List<CompletableFuture<?>> all = new ArrayList<>();
				for (int i = 0; i < roles; i++) {
					String role = "role-" + i;
					leaders.join(role);
					awaitLeader(leaders.role(role));
					all.add(leaders.executeAsync(role, (lease) -> {
						running.arriveAndAwaitAdvance();
						return CompletableFuture.completedFuture(null);
					}));
				}
				assertThat(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
					.succeedsWithin(Duration.ofSeconds(30));
			});
	}

	@Test
	void listenersAreToldOfTheBeginningAndTheEndOfATerm() {
		this.runner.run((context) -> {
			LeaderRole role = context.getBean(LeaderTemplate.class).role("importer");
			awaitLeader(role);
			long term = role.term().orElseThrow();
			context.getSourceApplicationContext().stop();
			assertThat(role.isLeader()).isFalse();
			assertThat(context.getBean(Events.class).heard).containsExactly(new LeaderGrantedEvent("importer", term),
					new LeaderRevokedEvent("importer", term, LeaderRevokedEvent.Reason.STOPPED));
			context.getSourceApplicationContext().start();
			awaitLeader(role);
			assertThat(role.term().orElseThrow()).isGreaterThan(term);
		});
	}

	@Test
	void healthShowsTheRolesAndIsAlwaysUp() {
		this.runner.run((context) -> {
			LeaderRole role = context.getBean(LeaderTemplate.class).role("importer");
			awaitLeader(role);
			HealthIndicator health = context.getBean("redlockLeaderHealthContributor", HealthIndicator.class);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			assertThat(health.health().getDetails()).containsEntry("roles",
					Map.of("importer", Map.of("leader", true, "term", role.term().orElseThrow())));
			context.getSourceApplicationContext().stop();
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			assertThat(health.health().getDetails()).containsEntry("roles", Map.of());
		});
		this.runner.withPropertyValues("management.health.redlockleader.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("redlockLeaderHealthContributor"));
	}

	@Test
	void aGaugeTellsWhetherThisProcessLeads() {
		this.runner.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				LeaderRole role = context.getBean(LeaderTemplate.class).role("importer");
				awaitLeader(role);
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(meters.get("redlock.leader").tag("role", "importer").gauge().value()).isOne();
				context.getSourceApplicationContext().stop();
				assertThat(meters.get("redlock.leader").tag("role", "importer").gauge().value()).isZero();
			});
	}

	@Test
	void theEndpointShowsTheLeaderAndYields() {
		this.runner.run((context) -> {
			LeaderRole role = context.getBean(LeaderTemplate.class).role("importer");
			awaitLeader(role);
			RedlockLeaderEndpoint endpoint = context.getBean(RedlockLeaderEndpoint.class);
			assertThat(endpoint.roles().roles())
				.containsExactly(new RedlockLeaderEndpoint.Role("importer", true, role.term().orElseThrow(), "tests"));
			assertThat(endpoint.yieldRole(null, "importer").getBody().yielded()).isTrue();
			assertThat(role.isLeader()).isFalse();
			assertThat(endpoint.yieldRole(null, "importer").getStatus()).isEqualTo(404);
		});
	}

	@Test
	void theEndpointYieldsOnlyWithUnrestrictedAccess() {
		ReactiveWebApplicationContextRunner web = new ReactiveWebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
							RedlockAutoConfiguration.class, RedlockLeaderAutoConfiguration.class))
			.withPropertyValues("redlock.enabled=false", "management.endpoints.web.exposure.include=*");
		web.run((context) -> assertThat(operations(context)).containsExactly(OperationType.READ));
		web.withPropertyValues("management.endpoint.redlockleader.access=UNRESTRICTED")
			.run((context) -> assertThat(operations(context)).containsExactlyInAnyOrder(OperationType.READ,
					OperationType.WRITE));
	}

	private static List<OperationType> operations(ApplicationContext context) {
		return context.getBean(WebEndpointsSupplier.class)
			.getEndpoints()
			.stream()
			.filter((endpoint) -> endpoint.getEndpointId().equals(EndpointId.of("redlockleader")))
			.flatMap((endpoint) -> endpoint.getOperations().stream())
			.map(Operation::getType)
			.toList();
	}

	@Test
	void theEndpointYieldsNoOtherRoleWhereThePathLosesASlash() {
		this.runner.run((context) -> {
			LeaderTemplate leaders = context.getBean(LeaderTemplate.class);
			leaders.join("a//b");
			LeaderRole two = leaders.role("a//b");
			awaitLeader(two);
			RedlockLeaderEndpoint endpoint = context.getBean(RedlockLeaderEndpoint.class);
			assertThat(endpoint.yieldRole(null, "a", "b").getBody().role()).isEqualTo("a//b");
			assertThat(two.isLeader()).isFalse();
			leaders.join("a/b");
			LeaderRole one = leaders.role("a/b");
			awaitLeader(one);
			awaitLeader(two);
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.yieldRole(null, "a", "b"))
				.withMessageContaining("[a//b, a/b]");
			assertThat(endpoint.yieldRole("a//b", "a", "b").getBody().yielded()).isTrue();
			assertThat(one.isLeader()).isTrue();
		});
	}

	@Test
	void itWorksWithoutActuatorMicrometerHealthAndReactor() {
		this.runner
			.withClassLoader(new FilteredClassLoader("reactor.", "io.micrometer.", "org.springframework.boot.health."))
			.run((context) -> awaitLeader(context.getBean(LeaderTemplate.class).role("importer")));
		this.runner.withClassLoader(new FilteredClassLoader(Endpoint.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(RedlockLeaderEndpoint.class);
		});
	}

	private static void awaitLeader(LeaderRole role) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(role::isLeader);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> role.term().isPresent());
	}

	static class Events {

		private final List<Object> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void heard(LeaderGrantedEvent event) {
			this.heard.add(event);
		}

		@EventListener
		void heard(LeaderRevokedEvent event) {
			this.heard.add(event);
		}

	}

}
