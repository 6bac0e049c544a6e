package dev.redlock.docs.operations;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.LockRequest;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two web applications on the same nodes, one of which ends while a request runs under a
 * lock.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GracefulRequestTests {

	private static final Duration BOUND = Duration.ofSeconds(50);

	private final List<InMemoryNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryNode(name, Ticker.SYSTEM))
		.toList();

	private final CompletableFuture<Void> began = new CompletableFuture<>();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	@Test
	void aRequestEndsUnderItsLockWhenTheApplicationEnds() {
		shutDownUnderARequest((closing) -> assertThat(closing).isNotDone());
	}

	@Test
	@Tag("slow")
	void aRequestThatTakesLongerThanTheShutdownTimeoutEndsUnderItsLock() {
		shutDownUnderARequest((closing) -> assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> closing.get(25, TimeUnit.SECONDS)));
	}

	private void shutDownUnderARequest(Consumer<CompletableFuture<Void>> meanwhile) {
		try (ConfigurableApplicationContext one = start(); ConfigurableApplicationContext two = start()) {
			CompletableFuture<HttpResponse<String>> answer = request(one);
			assertThat(this.began).succeedsWithin(BOUND);
			CompletableFuture<Void> closing = CompletableFuture.runAsync(one::close,
					(close) -> new Thread(close).start());
			Awaitility.await().atMost(BOUND).until(one::isClosed);
			meanwhile.accept(closing);
			assertThat(isFree(two)).as("another process gets the lock under a request that runs").isFalse();
			this.end.complete(null);
			assertThat(answer).succeedsWithin(BOUND)
				.satisfies((response) -> assertThat(response.body()).isEqualTo("valid"));
			assertThat(closing).succeedsWithin(BOUND);
			assertThat(isFree(two)).isTrue();
		}
	}

	/** The web server waits longer than by default, for machines that are busy. */
	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).initializers((GenericApplicationContext context) -> {
			context.registerBean(LockNodes.class, () -> LockNodes.of(this.nodes));
			context.registerBean(Work.class, () -> new Work(this.began, this.end));
		})
			.properties("server.port=0", "server.address=127.0.0.1", "redlock.renew.enabled=true",
					"spring.lifecycle.timeout-per-shutdown-phase=2m")
			.run();
	}

	private static CompletableFuture<HttpResponse<String>> request(ApplicationContext context) {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/work"))
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		return HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofString());
	}

	private static boolean isFree(ApplicationContext context) {
		return context.getBean(RedLockTemplate.class)
			.tryAcquire(LockRequest.of("work").withWaitFor(Duration.ZERO))
			.map((lease) -> {
				lease.close();
				return true;
			})
			.orElse(false);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(WorkController.class)
	static class Application {

	}

	@RestController
	static class WorkController {

		private final Work work;

		WorkController(Work work) {
			this.work = work;
		}

		@PostMapping("/work")
		String work() {
			return this.work.run();
		}

	}

	static class Work {

		private final CompletableFuture<Void> began;

		private final CompletableFuture<Void> end;

		Work(CompletableFuture<Void> began, CompletableFuture<Void> end) {
			this.began = began;
			this.end = end;
		}

		@RedLock("work")
		public String run() {
			this.began.complete(null);
			this.end.join();
			return CurrentLease.require().isValid() ? "valid" : "lost";
		}

	}

}
