package dev.redlock.spring.autoconfigure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.internal.client.Internals;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spring.autoconfigure.endpoint.EndpointAnswers;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockProperties;
import dev.redlock.spring.template.RedLockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Passwords and tokens show up nowhere, at whatever level is logged.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

	private static final String RIGHT = "pass-right-0815";

	private static final String WRONG = "pass-wrong-4711";

	private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.redlock");

	@AutoClose
	private static RedisProcess one = RedisProcess.start("--requirepass", RIGHT);

	@AutoClose
	private static RedisProcess two = RedisProcess.start("--requirepass", RIGHT);

	@AutoClose
	private static RedisProcess three = RedisProcess.start("--requirepass", RIGHT);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class))
		.withPropertyValues("redlock.restart-guard.enabled=false");

	@BeforeEach
	void logEverything() {
		OURS.setLevel(Level.TRACE);
	}

	@AfterEach
	void logAsBefore() {
		OURS.setLevel(null);
	}

	@Test
	void neitherLogsNorTextsNorTheEndpointShowAPasswordOrToken(CapturedOutput output) {
		this.runner.withPropertyValues(standalone("a", one, RIGHT))
			.withPropertyValues(standalone("c", three, WRONG))
			.withPropertyValues("redlock.instances.b.url=redis://default:" + RIGHT + "@127.0.0.1:" + two.port())
			.run((context) -> {
				LockNodes nodes = context.getBean(LockNodes.class);
				Awaitility.await()
					.until(() -> nodes.list()
						.stream()
						.anyMatch((node) -> node.status().reason().contains("WRONGPASS")));
				Lease lease = context.getBean(Redlock.class)
					.attemptAndWait(LockRequest.of("r").withTtl(Duration.ofSeconds(10)))
					.orThrow();
				List<String> shown = shown(context);
				lease.close();
				shown.add(output.getAll());
				assertThat(shown).allSatisfy((text) -> assertThat(text).doesNotContain(RIGHT, WRONG,
						Internals.token(lease).substring(0, 12)));
				assertThat(output).contains("DEBUG").contains("WRONGPASS");
			});
	}

	@Test
	void whoDoesNotGetALockBecauseOfAWrongPasswordIsNotToldThePassword() {
		this.runner.withPropertyValues(standalone("a", one, WRONG)).run((context) -> {
			LockNotAcquiredException failure = catchThrowableOfType(LockNotAcquiredException.class,
					() -> context.getBean(RedLockOperations.class)
						.acquire(LockRequest.of("r").withWaitFor(Duration.ZERO)));
			assertThat(stackTrace(failure)).contains("WRONGPASS").doesNotContain(WRONG, RIGHT);
		});
	}

	@Test
	void connectionDetailsShowAddressesOnly() {
		RedlockConnectionDetails details = () -> Map.of("a",
				new RedlockConnectionDetails.Node("127.0.0.1", one.port(), "default", RIGHT));
		this.runner.withBean(RedlockConnectionDetails.class, () -> details)
			.run((context) -> assertThat(shown(context)).allSatisfy((text) -> assertThat(text).doesNotContain(RIGHT)));
		assertThat(details.getNodes().toString()).isEqualTo("{a=127.0.0.1:" + one.port() + "}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a.url=http://user:" + WRONG + "@h", "a.url=" + WRONG, "a.url=redis://:" + WRONG + "@h:x",
			"a.url=redis://u:" + WRONG + "@ h", "a.cluster.nodes=redis://:" + WRONG + "@h:1:2",
			"a.sentinel.nodes=redis://:" + WRONG + "@h:port" })
	void aPasswordInAWrongPlaceIsNotRepeated(String property, CapturedOutput output) {
		String[] sentinel = property.contains("sentinel") ? new String[] { "redlock.instances.a.sentinel.master=m" }
				: new String[0];
		this.runner.withPropertyValues(sentinel).withPropertyValues("redlock.instances." + property).run((context) -> {
			Throwable failure = context.getStartupFailure();
			List<String> told = (failure != null) ? List.of(stackTrace(failure)) : shown(context);
			assertThat(told).allSatisfy((text) -> assertThat(text).doesNotContain(WRONG));
			assertThat(output).doesNotContain(WRONG);
		});
	}

	@Test
	void twoInstancesThatAreOneAreNamedWithoutTheirPasswords() {
		String url = "redis://:" + WRONG + "@127.0.0.1:" + one.port();
		this.runner.withPropertyValues("redlock.instances.a.url=" + url, "redlock.instances.b.url=" + url)
			.run((context) -> assertThat(stackTrace(context.getStartupFailure())).contains("same server")
				.doesNotContain(WRONG));
	}

	private static String[] standalone(String name, RedisProcess redis, String password) {
		String instance = "redlock.instances." + name;
		return new String[] { instance + ".host=127.0.0.1", instance + ".port=" + redis.port(),
				instance + ".password=" + password };
	}

	/**
	 * All beans of ours as text, what they are made of, and what the endpoint says.
	 */
	private static List<String> shown(AssertableApplicationContext context) {
		List<String> shown = new ArrayList<>();
		context.getBeansOfType(Object.class).forEach((name, bean) -> {
			if (bean.getClass().getName().startsWith("dev.redlock")) {
				describe(bean, shown);
			}
		});
		shown.addAll(EndpointAnswers.of(context.getBean(Redlock.class)));
		return shown;
	}

	private static void describe(Object value, List<String> shown) {
		shown.add(value.toString());
		if (value instanceof RedlockProperties properties) {
			shown.add(properties.instances().toString());
			properties.instances().values().forEach((instance) -> {
				shown.add(instance.ssl().toString());
				shown.add(instance.sentinel().toString());
				shown.add(instance.cluster().toString());
			});
		}
		if (value instanceof LockNodes nodes) {
			nodes.list().forEach((node) -> shown.add(node + " " + node.status()));
		}
	}

	private static String stackTrace(Throwable failure) {
		assertThat(failure).isNotNull();
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

}
