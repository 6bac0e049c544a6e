package dev.redlock.spring.fencing;

import java.util.function.Consumer;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.test.web.reactive.server.HttpHandlerConnector;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client locks a device and calls a service that guards it.
 */
class FenceOverHttpTests {

	private static final String PROBLEMS = "redlock.web.problem-details.enabled=true";

	private final LockWorld world = new LockWorld();

	private final FencedResource device = new FencedResource("device 7");

	private enum Stack {

		MVC, WEB_FLUX

	}

	@ParameterizedTest
	@EnumSource
	void aLateRequestIsRefusedByTheService(Stack stack) {
		run(stack, (request) -> {
			Lease late = lease("device:7");
			assertThat(under(late, request)).isEqualTo(200);
			this.world.time.advance(LockWorld.TOO_LONG);
			Lease next = lease("device:7");
			assertThat(under(next, request)).isEqualTo(200);
			assertThat(under(late, request)).isEqualTo(409);
			assertThat(under(next, request)).isEqualTo(200);
		});
	}

	@ParameterizedTest
	@EnumSource
	void aRequestWithoutTheLockOrUnderAnotherOneIsRefused(Stack stack) {
		run(stack, (request) -> {
			assertThat(request.send()).isEqualTo(400);
			assertThat(under(lease("device:8"), request)).isEqualTo(400);
			assertThat(this.device.highest()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aRequestOfNestedWorkCarriesTheFenceOfEachName(Stack stack) {
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);
		run(stack,
				(request) -> template.execute(this.world.now("device:7"),
						(device) -> template.execute(this.world.now("account:1"),
								(account) -> template.execute(this.world.now("account:1", "device:7"), (both) -> {
									assertThat(request.send()).isEqualTo(200);
									assertThat(this.device.highest()).isEqualTo(device.fence());
									return null;
								}))));
	}

	@ParameterizedTest
	@EnumSource
	void aRequestUnderAPermitCarriesTheFencesOfTheOtherLocksOnly(Stack stack) {
		RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);
		run(stack, (request) -> template.execute(this.world.now("ocr").withPermits(2), (permit) -> {
			assertThat(request.send()).isEqualTo(400);
			return template.execute(this.world.now("device:7"), (device) -> {
				assertThat(request.send()).isEqualTo(200);
				return null;
			});
		}));
	}

	@ParameterizedTest
	@EnumSource
	void aHeaderOfSeveralLinesIsReadAsOneList(Stack stack) {
		assertThat(status(stack, "account%3A1=3, account%3A2=3", "device%3A7=42")).isEqualTo(200);
		assertThat(this.device.highest()).isEqualTo(42);
	}

	@ParameterizedTest
	@EnumSource
	void aLineThatIsAddedToTheHeaderCannotChangeAFence(Stack stack) {
		assertThat(status(stack, "device%3A7=43", "device%3A7=42")).isEqualTo(400);
		assertThat(this.device.highest()).isZero();
	}

	@Test
	void aReactiveFlowSendsTheFenceOfItsOwnLease() {
		webFlux((client) -> {
			ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock, Schedulers.immediate());
			assertThat(template.execute(this.world.now("device:7"), (lease) -> send(client)).block()).isEqualTo(200);
			assertThat(this.device.highest()).isPositive();
		});
	}

	private void run(Stack stack, Requests requests) {
		switch (stack) {
			case MVC -> mvc((client) -> requests
				.run(() -> client.put().uri("/devices/7").exchange().returnResult().getStatus().value()));
			case WEB_FLUX -> webFlux((client) -> requests.run(() -> send(client).block()));
		}
	}

	private int status(Stack stack, String... lines) {
		int[] status = new int[1];
		switch (stack) {
			case MVC -> mvc((client) -> status[0] = client.put()
				.uri("/devices/7")
				.header(FenceHeader.NAME, lines)
				.exchange()
				.returnResult()
				.getStatus()
				.value());
			case WEB_FLUX ->
				webFlux((client) -> status[0] = send(client.mutate().defaultHeader(FenceHeader.NAME, lines).build())
					.block());
		}
		return status[0];
	}

	private void mvc(Consumer<RestTestClient> test) {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockFenceWebAutoConfiguration.class,
					DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
					JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class))
			.withPropertyValues(PROBLEMS)
			.withBean(Devices.class, this.device)
			.run((context) -> test.accept(RestTestClient.bindToApplicationContext(context)
				.requestInterceptor(new FenceHeaderInterceptor())
				.build()));
	}

	private void webFlux(Consumer<WebClient> test) {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockFenceWebAutoConfiguration.class,
					WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class, CodecsAutoConfiguration.class))
			.withPropertyValues(PROBLEMS)
			.withBean(Devices.class, this.device)
			.run((context) -> test.accept(WebClient.builder()
				.clientConnector(new HttpHandlerConnector(WebHttpHandlerBuilder.applicationContext(context).build()))
				.filter(new FenceHeaderFilter())
				.build()));
	}

	private static Mono<Integer> send(WebClient client) {
		return client.put()
			.uri("/devices/7")
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
	}

	private static int under(Lease lease, Request request) {
		CurrentLease scope = CurrentLease.open(lease);
		try {
			return request.send();
		}
		finally {
			scope.close();
		}
	}

	private Lease lease(String... resources) {
		return this.world.redlock.attempt(this.world.now(resources)).toCompletableFuture().join().orThrow();
	}

	private interface Request {

		/** Returns the status of the answer. */
		int send();

	}

	private interface Requests {

		void run(Request request);

	}

	@RestController
	static class Devices {

		private final FencedResource device;

		Devices(FencedResource device) {
			this.device = device;
		}

		@PutMapping("/devices/{id}")
		void write(@PathVariable long id, @RequestHeader(FenceHeader.NAME) FenceHeader fences) {
			this.device.claim(fences.require("device:" + id));
		}

	}

}
