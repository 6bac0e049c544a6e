package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
import dev.redlock.spring.autoconfigure.job.RedlockJobHistoryAutoConfiguration;
import dev.redlock.spring.job.JobHistory;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.actuate.endpoint.web.WebFluxHealthEndpointExtensionAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

class WebFluxOperationsTests {

	private final LockWorld world = new LockWorld();

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class, CodecsAutoConfiguration.class,
				JacksonAutoConfiguration.class, JacksonEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
				WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class,
				HealthEndpointAutoConfiguration.class, HealthContributorAutoConfiguration.class,
				HealthContributorRegistryAutoConfiguration.class, WebFluxHealthEndpointExtensionAutoConfiguration.class,
				RedlockHealthContributorAutoConfiguration.class, RedlockEndpointAutoConfiguration.class,
				RedlockJobHistoryAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=health,redlock",
				"management.endpoint.health.show-details=ALWAYS", "redlock.endpoint.release-enabled=true")
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""));

	@Test
	void healthIsToldToReactiveClients() {
		this.runner.run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			client.get()
				.uri("/actuator/health/redlock")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.details.margin")
				.isEqualTo(1);
			this.world.nodes.get(0).down();
			this.world.nodes.get(1).down();
			client.get()
				.uri("/actuator/health/redlock")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		});
	}

	@Test
	void theEndpointShowsTheHistoryOfJobs() {
		Instant due = Instant.parse("2026-11-22T02:00:00Z");
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true")
			.run((context) -> {
				context.publishEvent(new RedlockJobEvent("night-run", "Jobs.nightRun", due.minus(Duration.ofDays(2)),
						due.minus(Duration.ofDays(1)), Outcome.LOST, 0, Duration.ZERO,
						new IllegalStateException("of it")));
				context.publishEvent(new RedlockJobEvent("night-run", "Jobs.nightRun", due,
						due.plus(Duration.ofDays(1)), Outcome.SUCCEEDED, 7, Duration.ofMillis(1_500), null));
				JobHistory history = context.getBean(JobHistory.class);
				Awaitility.await().until(history::jobs, (jobs) -> jobs.size() == 1 && jobs.get(0).ticks().size() == 2);
				WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
				String json = client.get()
					.uri("/actuator/redlock/jobs")
					.exchange()
					.expectStatus()
					.isOk()
					.expectBody(String.class)
					.returnResult()
					.getResponseBody();
				System.out.println(json);
				assertThat(json).startsWith("{\"jobs\":[{\"job\":\"night-run\",\"lastSuccess\":\"")
					.contains("\"next\":\"2026-11-23T02:00:00Z\"",
							"\"missed\":[{\"first\":\"2026-11-21T02:00:00Z\",\"before\":\"2026-11-22T02:00:00Z\"}]",
							"{\"due\":\"2026-11-22T02:00:00Z\",\"outcome\":\"SUCCEEDED\",\"instance\":\"",
							"\"fence\":7,\"started\":", "\"duration\":\"PT1.5S\"",
							"{\"due\":\"2026-11-20T02:00:00Z\",\"outcome\":\"LOST\"",
							"\"error\":\"java.lang.IllegalStateException: of it\"")
					.doesNotContain("null");
				client.get()
					.uri("/actuator/redlock/jobs?instances=a,b,c")
					.exchange()
					.expectBody()
					.jsonPath("$.resource")
					.isEqualTo("jobs");
			});
	}

	@Test
	void withoutAHistoryJobsIsTheNameOfALock() {
		this.runner.run((context) -> WebTestClient.bindToApplicationContext(context)
			.build()
			.get()
			.uri("/actuator/redlock/jobs")
			.exchange()
			.expectBody()
			.jsonPath("$.resource")
			.isEqualTo("jobs"));
	}

	@Test
	void theEndpointServesReactiveClients() {
		Lease lease = this.world.redlock.attemptAndWait(this.world.now("orders/7")).orThrow();
		this.runner.run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			client.get()
				.uri("/actuator/redlock/orders/7")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.verdict")
				.isEqualTo("HELD")
				.jsonPath("$.nodes[0].fault")
				.doesNotExist();
			client.get()
				.uri("/actuator/redlock/orders/7?instances=a,b")
				.exchange()
				.expectBody()
				.jsonPath("$.nodes.length()")
				.isEqualTo(2);
			client.get()
				.uri("/actuator/redlock/orders/7?instances=x")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.BAD_REQUEST);
			client.delete().uri("/actuator/redlock/orders/7").exchange().expectStatus().isOk();
			client.delete().uri("/actuator/redlock/orders/7").exchange().expectStatus().isNotFound();
			assertThat(lease.isValid()).isFalse();
		});
	}

}
