package dev.redlock.test.autoconfigure;

import java.time.Duration;
import java.util.Map;

import dev.redlock.Redlock;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRedlockAutoConfigurationTests {

	private final ApplicationContextRunner unasked = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EmbeddedRedlockAutoConfiguration.class))
		.withPropertyValues("redlock.embedded.nodes=1");

	private final ApplicationContextRunner runner = this.unasked.withPropertyValues("redlock.embedded.enabled=true");

	@Test
	void anApplicationThatDoesNotAskForThemGetsNone() {
		this.unasked.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RedisNodes.class));
	}

	@Test
	void anApplicationWithoutServersThatDoesNotAskForThemDoesNotStart() {
		this.unasked.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("there are no 'redlock.instances'"));
	}

	@Test
	void anApplicationWithDevtoolsGetsThem() {
		this.unasked.withClassLoader(new WithDevtools())
			.run((context) -> assertThat(context).hasSingleBean(RedisNodes.class));
		this.unasked.withClassLoader(new WithDevtools())
			.withPropertyValues("redlock.instances.a.host=10.0.0.1")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class));
		this.unasked.withClassLoader(new WithDevtools())
			.withPropertyValues("redlock.embedded.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class));
	}

	@Test
	void startsThrowAwayNodesAndEndsThemWithTheContext() {
		RedisNodes[] started = new RedisNodes[1];
		this.runner.withPropertyValues("redlock.embedded.nodes=3").run((context) -> {
			RedisNodes nodes = context.getBean(RedisNodes.class);
			RedlockConnectionDetails details = context.getBean(RedlockConnectionDetails.class);
			assertThat(details.isThrowAway()).isTrue();
			assertThat(details.getNodes()).containsOnlyKeys("a", "b", "c")
				.containsEntry("a", new RedlockConnectionDetails.Node("127.0.0.1", nodes.get("a").port(), null, null));
			assertThat(nodes.asList()).allMatch(RedisNode::isRunning);
			started[0] = nodes;
		});
		assertThat(started[0].asList()).noneMatch(RedisNode::isRunning);
	}

	@Test
	void guardedNodesVoteAtFirstSightAndWaitWhenTheyAreRestarted() {
		this.runner.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withPropertyValues("redlock.embedded.restart-guard=true", "redlock.max-ttl=40s")
			.run((context) -> {
				LockNode node = context.getBean(Redlock.class).nodes().get(0);
				awaitState(node, NodeStatus.State.READY);
				context.getBean(RedisNodes.class).get(0).restartEmpty();
				awaitState(node, NodeStatus.State.QUARANTINED);
				assertThat(node.status().remaining()).isGreaterThan(Duration.ofSeconds(10));
			});
	}

	@Test
	void thereAreFiveByDefault() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(EmbeddedRedlockAutoConfiguration.class))
			.withPropertyValues("redlock.embedded.enabled=true")
			.run((context) -> assertThat(context.getBean(RedisNodes.class).asList()).hasSize(5));
	}

	@Test
	void warnsOnceAndNamesThePorts(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output.toString()).containsOnlyOnce("for development and tests only")
			.contains("WARN")
			.contains("127.0.0.1:" + context.getBean(RedisNodes.class).get(0).port()));
	}

	@Test
	void backsOffWhereInstancesAreConfigured() {
		this.unasked.withPropertyValues("redlock.instances.a.host=10.0.0.1")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class)
				.doesNotHaveBean(RedlockConnectionDetails.class));
	}

	@Test
	void backsOffWhereInstancesAreConfiguredInTheSystemEnvironment() {
		this.unasked
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("REDLOCK_INSTANCES_A_HOST", "10.0.0.1"))))
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class));
	}

	@Test
	void enabledBesideConfiguredInstancesIsAnErrorThatNamesBoth() {
		this.runner.withPropertyValues("redlock.instances.a.host=10.0.0.1").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(MutuallyExclusiveConfigurationPropertiesException.class)
				.hasMessageContaining("redlock.embedded.enabled")
				.hasMessageContaining("redlock.instances");
		});
	}

	@Test
	void disabledStartsNothing() {
		this.runner.withPropertyValues("redlock.embedded.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class));
		this.runner.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RedisNodes.class));
	}

	@Test
	void backsOffForConnectionDetailsOfTheUser() {
		this.runner.withUserConfiguration(OwnDetails.class)
			.run((context) -> assertThat(context).hasSingleBean(RedlockConnectionDetails.class)
				.doesNotHaveBean(RedisNodes.class));
	}

	@Test
	void usesNodesOfTheUser() {
		this.runner.withBean(RedisNodes.class, () -> RedisNodes.start(2))
			.run((context) -> assertThat(context.getBean(RedlockConnectionDetails.class).getNodes()).hasSize(2));
	}

	/**
	 * Long before a quarantine would end.
	 */
	private static void awaitState(LockNode node, NodeStatus.State state) {
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(node.status().state()).isEqualTo(state));
	}

	/**
	 * Has a class of Spring Boot's developer tools, which need not be on the class path.
	 */
	private static final class WithDevtools extends ClassLoader {

		private WithDevtools() {
			super(EmbeddedRedlockAutoConfigurationTests.class.getClassLoader());
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (!name.equals("org.springframework.boot.devtools.restart.Restarter")) {
				throw new ClassNotFoundException(name);
			}
			ClassWriter empty = new ClassWriter(0);
			empty.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
			byte[] code = empty.toByteArray();
			return defineClass(name, code, 0, code.length);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnDetails {

		@Bean
		RedlockConnectionDetails ownDetails() {
			return Map::of;
		}

	}

}
