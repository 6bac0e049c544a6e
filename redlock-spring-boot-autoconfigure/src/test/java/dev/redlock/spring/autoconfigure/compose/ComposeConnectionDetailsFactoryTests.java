package dev.redlock.spring.autoconfigure.compose;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.spring.autoconfigure.ThreeServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.lifecycle.DockerComposeServicesReadyEvent;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Boot's own support of Docker Compose, told of services that are up. Only the program
 * that would start them is missing.
 */
class ComposeConnectionDetailsFactoryTests extends ThreeServers {

	@Test
	void eachLabelledServiceIsANodeThatVotesAtOnce() {
		this.runner
			.withInitializer((context) -> ready(context, service("redis-1", Map.of("dev.redlock.node", "a"), a),
					service("redis-2", Map.of("dev.redlock.node", "b"), b),
					service("redis-3", Map.of("dev.redlock.node", ""), c)))
			.run((context) -> {
				List<LockNode> nodes = context.getBean(LockNodes.class).list();
				assertThat(nodes).extracting(LockNode::name).containsExactlyInAnyOrder("a", "b", "redis-3");
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> assertThat(nodes).allMatch((node) -> node.status().state() == State.READY));
				context.getBean(Redlock.class).attemptAndWait(LockRequest.of("compose")).orThrow();
				// The lock is there with two of three; the last may be late.
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> assertThat(Stream.of(a, b, c))
						.allMatch((redis) -> redis.<Long>ask((commands) -> commands.exists("redlock:compose")) == 1));
			});
	}

	@Test
	void aServiceWithoutTheLabelIsNoNode() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withInitializer((context) -> ready(context, service("redis", Map.of(), a)))
			.run((context) -> assertThat(context).doesNotHaveBean(RedlockConnectionDetails.class));
	}

	@Test
	void credentialsComeFromLabelsAndAreNotPrinted() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withInitializer((context) -> ready(context,
					service("redis",
							Map.of("dev.redlock.node", "a", "dev.redlock.username", "u", "dev.redlock.password",
									"s3cret"),
							a)))
			.run((context) -> {
				RedlockConnectionDetails details = context.getBean(RedlockConnectionDetails.class);
				assertThat(details.getNodes()).containsEntry("a",
						new RedlockConnectionDetails.Node("127.0.0.1", a.port(), "u", "s3cret"));
				assertThat(details.getNodes().toString()).doesNotContain("s3cret");
				assertThat(details.isThrowAway()).isTrue();
			});
	}

	@Test
	void twoServicesOfOneNameEndTheStart() {
		this.runner
			.withInitializer((context) -> ready(context, service("redis-1", Map.of("dev.redlock.node", "a"), a),
					service("redis-2", Map.of("dev.redlock.node", "a"), b)))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("two connection details have a node of this name")
				.hasMessageContaining("127.0.0.1:" + a.port()));
	}

	@Test
	void isNotMissedWithoutDockerCompose() {
		FilteredClassLoader without = new FilteredClassLoader("org.springframework.boot.docker.compose");
		assertThat(new ConnectionDetailsFactories(without).getConnectionDetails("something else", false)).isEmpty();
		this.runner.withClassLoader(without)
			.withPropertyValues("redlock.instances.a.host=127.0.0.1", "redlock.instances.a.port=" + a.port(),
					"redlock.restart-guard.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(Redlock.class));
	}

	private static RunningService service(String name, Map<String, String> labels, RedisProcess redis) {
		return new StandInService(name, labels, redis.port());
	}

	/**
	 * What Boot does once the services are up, before the context is refreshed.
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static void ready(ConfigurableApplicationContext context, RunningService... services) {
		Constructor<?> constructor = DockerComposeServicesReadyEvent.class.getDeclaredConstructors()[0];
		DockerComposeServicesReadyEvent event = (DockerComposeServicesReadyEvent) BeanUtils
			.instantiateClass(constructor, context, List.of(services));
		List<ApplicationListener> listeners = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ApplicationListener.class)
			.stream()
			.filter((listener) -> listener.getClass().getSimpleName().startsWith("DockerComposeServiceConnections"))
			.toList();
		assertThat(listeners).hasSize(1);
		listeners.get(0).onApplicationEvent(event);
	}

}
