package dev.redlock.it;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What a user reads who got the configuration wrong.
 */
@ExtendWith(OutputCaptureExtension.class)
class BadConfigurationTests {

	private static final RedisNodes nodes = RedisNodes.start(3);

	private static final List<String> table = new ArrayList<>();

	@AfterAll
	static void stop() {
		nodes.close();
		System.out.println("| mistake | what the user reads |\n|---|---|");
		table.forEach(System.out::println);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void aMistakeStopsTheStartAndTheUserReadsWhatToDo(String mistake, Class<?> bean, List<String> properties,
			List<String> expected, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(bean, properties).close());
		String all = output.getOut();
		assertThat(all).contains("APPLICATION FAILED TO START");
		String message = all.substring(all.indexOf("Description:")).strip();
		assertThat(message).contains("Action:").contains(expected);
		table.add("| " + mistake + " | " + message.replaceAll("\\s*\\R\\s*", "<br>").replace("|", "\\|") + " |");
	}

	static Stream<Arguments> aMistakeStopsTheStartAndTheUserReadsWhatToDo() {
		RedisNode first = nodes.get(0);
		return Stream.of(
				arguments("no instances", Fine.class, List.of("redlock.embedded.enabled=false"),
						List.of("redlock:", "instances:", "redlock-spring-boot-test")),
				arguments("one endpoint twice", Fine.class, at(first.port(), first.port()),
						List.of("same server", "b")),
				arguments("one server by two names", Fine.class,
						List.of("redlock.instances.a.url=redis://127.0.0.1:" + first.port(),
								"redlock.instances.b.url=redis://localhost:" + first.port()),
						List.of("run_id")),
				arguments("a port that is none", Fine.class,
						List.of("redlock.instances.a.host=127.0.0.1", "redlock.instances.a.port=70000"),
						List.of("redlock.instances.a.port", "70000", "from 1 to 65535")),
				arguments("a port beside a URL", Fine.class,
						List.of("redlock.instances.a.url=redis://127.0.0.1:" + first.port(),
								"redlock.instances.a.port=" + first.port()),
						List.of("redlock.instances.a.port", "ignored beside 'url'", "write it into the URL")),
				arguments("a text as an instance that is no URL", Fine.class,
						List.of("redlock.instances.a=127.0.0.1:6379"),
						List.of("redlock.instances.a.url", "not the URL of a Redis server",
								"redis://user:password@host")),
				arguments("unknown instance in an annotation", UnknownInstance.class, three(),
						List.of("nope", "Configured are")),
				arguments("ttl over max-ttl", Fine.class, three("redlock.ttl=2m"), List.of("max-ttl")),
				arguments("ttl over max-ttl in an annotation", LongTtl.class, three(), List.of("max-ttl", "work()")),
				arguments("ttl too small beside node-timeout", Fine.class,
						three("redlock.ttl=100ms", "redlock.node-timeout=100ms"), List.of("too small", "node-timeout")),
				arguments("negative duration", Fine.class, three("redlock.wait-for=-1s"),
						List.of("wait-for", "zero or more")),
				arguments("zero duration", Fine.class, three("redlock.ttl=0"), List.of("ttl", "more than zero")),
				arguments("duration that is none", NoDuration.class, three(), List.of("soon", "ttl")),
				arguments("blank resource", BlankResource.class, three(), List.of("resource", "blank")),
				arguments("wrong SpEL", WrongExpression.class, three(), List.of("#{#sku.}", "work")),
				arguments("unknown parameter name", UnknownParameter.class, three(), List.of("#sku", "work")),
				arguments("final method", FinalMethod.class, three(), List.of("final")),
				arguments("private method", PrivateMethod.class, three(), List.of("private")),
				arguments("SKIP on a primitive", SkipOnPrimitive.class, three(), List.of("SKIP", "int")),
				arguments("fallback that is not there", NoFallback.class, three(), List.of("fallback", "elsewhere")));
	}

	@Test
	void anEvenNumberOfInstancesIsSaidToCostMoreThanItGives(CapturedOutput output) {
		start(Fine.class, at(nodes.get(0).port(), nodes.get(1).port())).close();
		assertThat(output).contains("an even number");
		table.add("| two instances (a warning) | "
				+ output.getOut().lines().filter((line) -> line.contains("even number")).findFirst().orElseThrow()
				+ " |");
	}

	private static ConfigurableApplicationContext start(Class<?> bean, List<String> properties) {
		return new SpringApplicationBuilder(Application.class, bean).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("redlock.restart-guard.enabled=false")
			.properties(properties.toArray(String[]::new))
			.run();
	}

	private static List<String> three(String... more) {
		List<String> all = new ArrayList<>(at(nodes.get(0).port(), nodes.get(1).port(), nodes.get(2).port()));
		all.addAll(List.of(more));
		return all;
	}

	private static List<String> at(int... ports) {
		List<String> properties = new ArrayList<>();
		for (int i = 0; i < ports.length; i++) {
			String name = "redlock.instances." + (char) ('a' + i);
			properties.add(name + ".host=127.0.0.1");
			properties.add(name + ".port=" + ports[i]);
		}
		return properties;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	static class Fine {

		@RedLock("fine")
		public void work() {
		}

	}

	static class UnknownInstance {

		@RedLock(resource = "r", instances = { "a", "nope" })
		public void work() {
		}

	}

	static class LongTtl {

		@RedLock(resource = "r", ttl = "5m")
		public void work() {
		}

	}

	static class NoDuration {

		@RedLock(resource = "r", ttl = "soon")
		public void work() {
		}

	}

	static class BlankResource {

		@RedLock(resource = " ")
		public void work() {
		}

	}

	static class WrongExpression {

		@RedLock("stock:#{#sku.}")
		public void work(String sku) {
		}

	}

	static class UnknownParameter {

		@RedLock("stock:#{#sku}")
		public void work(String article) {
		}

	}

	static class FinalMethod {

		@RedLock("r")
		public final void work() {
		}

	}

	static class PrivateMethod {

		public void call() {
			work();
		}

		@RedLock("r")
		private void work() {
		}

	}

	static class SkipOnPrimitive {

		@RedLock(resource = "r", onFailure = OnFailure.SKIP)
		public int work() {
			return 1;
		}

	}

	static class NoFallback {

		@RedLock(resource = "r", fallback = "elsewhere")
		public void work() {
		}

	}

}
