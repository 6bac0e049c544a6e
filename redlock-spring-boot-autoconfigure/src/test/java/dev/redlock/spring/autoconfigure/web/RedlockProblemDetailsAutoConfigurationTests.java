package dev.redlock.spring.autoconfigure.web;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.template.RedLockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

class RedlockProblemDetailsAutoConfigurationTests {

	private static final String ENABLED = "redlock.web.problem-details.enabled=true";

	private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockProblemDetailsAutoConfiguration.class,
				DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class, JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class))
		.withBean(Till.class);

	private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockProblemDetailsAutoConfiguration.class,
				WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class, CodecsAutoConfiguration.class))
		.withBean(Till.class);

	@Test
	void itIsOffByDefault() {
		this.mvc.run((context) -> assertThat(context).doesNotHaveBean(LockProblems.class));
		this.webFlux.run((context) -> assertThat(context).doesNotHaveBean(LockProblems.class));
	}

	@Test
	void springMvcAnswersWithProblems() {
		this.mvc.withPropertyValues(ENABLED, "redlock.web.problem-details.retry-after=30s").run((context) -> {
			MockMvc client = client(context);
			client.perform(get("/till/HELD"))
				.andExpect(status().isConflict())
				.andExpect(content().contentType(MediaType.APPLICATION_PROBLEM_JSON))
				.andExpect(jsonPath("$.reason").value("HELD"));
			client.perform(get("/till/NO_QUORUM"))
				.andExpect(status().isServiceUnavailable())
				.andExpect(header().string(HttpHeaders.RETRY_AFTER, "30"));
		});
	}

	@Test
	void clientsAreToldToComeBackWhenTheQuarantineOfTheServersIsOver() {
		try (RedisProcess redis = RedisProcess.start()) {
			this.mvc
				.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class))
				.withBean(LockedTill.class)
				.withPropertyValues(ENABLED, "redlock.instances.a.host=127.0.0.1",
						"redlock.instances.a.port=" + redis.port(), "redlock.max-ttl=10m")
				.run((context) -> {
					LockNode node = context.getBean(Redlock.class).nodes().get(0);
					Awaitility.await()
						.atMost(Duration.ofSeconds(40))
						.until(() -> node.status().state() == State.QUARANTINED);
					String after = client(context).perform(get("/locked-till"))
						.andExpect(status().isServiceUnavailable())
						.andReturn()
						.getResponse()
						.getHeader(HttpHeaders.RETRY_AFTER);
					assertThat(Integer.parseInt(after)).isBetween(60, 700);
				});
		}
	}

	@Test
	void webFluxAnswersWithProblems() {
		this.webFlux.withPropertyValues(ENABLED).run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			client.get()
				.uri("/till/HELD")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.CONFLICT)
				.expectHeader()
				.contentType(MediaType.APPLICATION_PROBLEM_JSON)
				.expectBody()
				.jsonPath("$.reason")
				.isEqualTo("HELD");
			client.get()
				.uri("/reactive-till/SHUTTING_DOWN")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
				.expectHeader()
				.valueEquals(HttpHeaders.RETRY_AFTER, "5");
		});
	}

	@ParameterizedTest
	@CsvSource({ "/busy-till/HELD, TOO_MANY_REQUESTS", "/closed-till/HELD, GONE" })
	void aStatusThatTheApplicationGivesToARefusalStays(String path, HttpStatus expected) {
		this.mvc.withPropertyValues(ENABLED)
			.run((context) -> client(context).perform(get(path)).andExpect(status().is(expected.value())));
		this.webFlux.withPropertyValues(ENABLED)
			.run((context) -> WebTestClient.bindToApplicationContext(context)
				.build()
				.get()
				.uri(path)
				.exchange()
				.expectStatus()
				.isEqualTo(expected));
	}

	@Test
	void thereIsNoneWithoutSpringWeb() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockProblemDetailsAutoConfiguration.class))
			.withPropertyValues(ENABLED)
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RedlockProblemDetailsAutoConfiguration.class));
	}

	private static MockMvc client(WebApplicationContext context) {
		return MockMvcBuilders.webAppContextSetup(context).build();
	}

	@RestController
	static class Till {

		@GetMapping("/till/{reason}")
		String sell(@PathVariable Reason reason) {
			throw failure(reason);
		}

		@GetMapping("/reactive-till/{reason}")
		Mono<String> sellLater(@PathVariable Reason reason) {
			return Mono.error(() -> failure(reason));
		}

		@GetMapping("/busy-till/{reason}")
		String sellUnlessBusy(@PathVariable Reason reason) {
			throw new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS, "busy", failure(reason));
		}

		@GetMapping("/closed-till/{reason}")
		String sellUnlessClosed(@PathVariable Reason reason) {
			throw new TillClosedException(failure(reason));
		}

		private static LockNotAcquiredException failure(Reason reason) {
			return new LockNotAcquiredException(Set.of("stock:42"), reason, List.of(), 1, Duration.ZERO);
		}

	}

	@ResponseStatus(HttpStatus.GONE)
	@SuppressWarnings("serial") // Serializable only by inheritance.
	static class TillClosedException extends RuntimeException {

		TillClosedException(Throwable cause) {
			super(cause);
		}

	}

	@RestController
	static class LockedTill {

		private final RedLockOperations locks;

		LockedTill(RedLockOperations locks) {
			this.locks = locks;
		}

		@GetMapping("/locked-till")
		String sell() {
			return this.locks.execute(LockRequest.of("till").withWaitFor(Duration.ZERO), (lease) -> "sold");
		}

	}

}
