package dev.redlock.spring.job.history;

import java.time.Duration;
import java.time.Instant;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockJobsEndpointTests {

	private final LockWorld world = new LockWorld();

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class, CodecsAutoConfiguration.class,
				JacksonAutoConfiguration.class, JacksonEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
				WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class,
				DataSourceAutoConfiguration.class, RedlockJobHistoryAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=redlockjobs",
				"spring.datasource.generate-unique-name=true")
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""));

	@Test
	void theEndpointShowsTheHistoryOfJobs() {
		Instant due = Instant.parse("2026-11-22T02:00:00Z");
		this.runner.withPropertyValues("redlock.jobs.history.enabled=true").run((context) -> {
			context.publishEvent(new RedlockJobEvent("night-run", "Jobs.nightRun", due.minus(Duration.ofDays(2)),
					due.minus(Duration.ofDays(1)), Outcome.LOST, 0, Duration.ZERO, new IllegalStateException("of it")));
			context.publishEvent(new RedlockJobEvent("night-run", "Jobs.nightRun", due, due.plus(Duration.ofDays(1)),
					Outcome.SUCCEEDED, 7, Duration.ofMillis(1_500), null));
			JobHistory history = context.getBean(JobHistory.class);
			Awaitility.await().until(history::jobs, (jobs) -> jobs.size() == 1 && jobs.get(0).ticks().size() == 2);
			String json = WebTestClient.bindToApplicationContext(context)
				.build()
				.get()
				.uri("/actuator/redlockjobs")
				.exchange()
				.expectStatus()
				.isOk()
				.expectBody(String.class)
				.returnResult()
				.getResponseBody();
			assertThat(json).startsWith("{\"jobs\":[{\"job\":\"night-run\",\"lastSuccess\":\"")
				.contains("\"next\":\"2026-11-23T02:00:00Z\"",
						"\"missed\":[{\"first\":\"2026-11-21T02:00:00Z\",\"before\":\"2026-11-22T02:00:00Z\"}]",
						"{\"due\":\"2026-11-22T02:00:00Z\",\"outcome\":\"SUCCEEDED\",\"instance\":\"",
						"\"fence\":7,\"started\":", "\"duration\":\"PT1.5S\"",
						"{\"due\":\"2026-11-20T02:00:00Z\",\"outcome\":\"LOST\"",
						"\"error\":\"java.lang.IllegalStateException: of it\"")
				.doesNotContain("null");
		});
	}

	@Test
	void withoutAHistoryThereIsNoEndpoint() {
		this.runner.withPropertyValues("redlock.jobs.history.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedlockJobsEndpoint.class));
	}

}
