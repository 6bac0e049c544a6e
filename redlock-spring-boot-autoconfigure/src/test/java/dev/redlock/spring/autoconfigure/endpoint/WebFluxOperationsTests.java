package dev.redlock.spring.autoconfigure.endpoint;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.health.RedlockHealthContributorAutoConfiguration;
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
				RedlockHealthContributorAutoConfiguration.class, RedlockEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=health,redlock",
				"management.endpoint.health.show-details=ALWAYS", "management.endpoint.redlock.access=UNRESTRICTED")
		.withBean(Redlock.class, () -> this.world.redlock, (definition) -> definition.setDestroyMethodName(""));

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
			client.delete().uri("/actuator/redlock/orders/7?name=orders/7").exchange().expectStatus().isOk();
			client.delete().uri("/actuator/redlock/orders/7?name=orders/7").exchange().expectStatus().isNotFound();
			assertThat(lease.isValid()).isFalse();
		});
	}

}
