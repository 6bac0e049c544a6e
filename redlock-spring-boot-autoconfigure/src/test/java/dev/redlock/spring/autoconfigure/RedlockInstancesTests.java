package dev.redlock.spring.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which servers vote.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedlockInstancesTests extends ThreeServers {

	@Test
	void connectionDetailsTakeThePlaceOfInstancesAndThrowAwayNodesHaveNoQuarantine() {
		Map<String, RedlockConnectionDetails.Node> nodes = Map.of("x",
				new RedlockConnectionDetails.Node("127.0.0.1", b.port(), null, null));
		this.runner.withPropertyValues("redlock.instances.a.host=unused.invalid")
			.withBean(RedlockConnectionDetails.class, () -> new ThrowAwayServers(nodes))
			.run((context) -> {
				LockNodes lockNodes = context.getBean(LockNodes.class);
				assertThat(lockNodes.list()).singleElement().satisfies((node) -> {
					assertThat(node.name()).isEqualTo("x");
					assertThat(node.status().state()).isEqualTo(State.READY);
				});
			});
	}

	@Test
	void propertiesThatConnectionDetailsReplaceAreToldUnlessTheirServersAreThrownAway(CapturedOutput output) {
		Map<String, RedlockConnectionDetails.Node> nodes = Map.of("x",
				new RedlockConnectionDetails.Node("127.0.0.1", b.port(), null, null));
		this.runner.withPropertyValues("redlock.defaults.password=unused")
			.withBean(RedlockConnectionDetails.class, () -> new ThrowAwayServers(nodes))
			.run((context) -> assertThat(output).doesNotContain("redlock.defaults"));
		this.runner.withPropertyValues("redlock.defaults.password=unused", "redlock.restart-guard.enabled=false")
			.withBean(RedlockConnectionDetails.class, () -> () -> nodes)
			.run((context) -> assertThat(output).contains("so redlock.instances and redlock.defaults are ignored"));
	}

	@Test
	void theOnlyConnectionFactoryIsASingleInstanceWithAWarning(CapturedOutput output) {
		this.runner.withUserConfiguration(OneFactory.class)
			.withPropertyValues("redlock.restart-guard.enabled=false", "redlock.defaults.password=unused")
			.run((context) -> {
				Lease lease = context.getBean(Redlock.class).attemptAndWait(LockRequest.of("single")).orThrow();
				assertThat(a.<Long>ask((redis) -> redis.exists("redlock:single"))).isOne();
				lease.close();
				assertThat(output).contains("use the Redis of the RedisConnectionFactory bean 'myFactory'")
					.contains("Locks rest on one Redis instance")
					.contains("redlock.defaults is ignored, because there are no redlock.instances");
			});
		assertThat(a.<Long>ask((redis) -> redis.exists("redlock:single"))).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "127.0.0.1:31003, 'Write host: 127.0.0.1 and port: 31003, or url: redis://127.0.0.1:31003'",
			"redis-a.example.org:6380, 'Write host: redis-a.example.org and port: 6380'",
			"'[::1]:6379', 'Write host: ::1 and port: 6379'", "'127.0.0.1:', Write only the host",
			"'127.0.0.1,127.0.0.2', 'Write one host'", "'redis 1', 'Write one host'",
			"redis://127.0.0.1:31003, 'Write the server as url'",
			"user:secret@127.0.0.1:6379, 'Write the server as url'", "${NOT_THERE}, 'or give a default'",
			"'', Write the name or the address" })
	void aHostThatIsMoreThanAHostIsRefusedAtStart(String host, String action) {
		this.runner.withPropertyValues("redlock.instances.a.host=" + host)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("The configuration property 'redlock.instances.a.host' is not usable: ")
				.hasMessageContaining(action)
				.hasMessageNotContaining("secret"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "::1", "redis_a", "fe80::1%eth0" })
	void aNameOrAnAddressIsAHost(String host) {
		this.runner.withPropertyValues("redlock.restart-guard.enabled=false", "redlock.instances.a.host=" + host)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anEvenNumberOfInstancesIsWarnedAbout(CapturedOutput output) {
		this.runner
			.withPropertyValues("redlock.instances.a.url=redis://127.0.0.1:" + a.port(),
					"redlock.instances.b.url=redis://127.0.0.1:" + b.port())
			.run((context) -> assertThat(output).contains(
					"2 Redis instances, an even number. Only 0 of them may fail, as with 1 instances",
					"Use 1 or 3 instances."));
	}

	@Test
	void aUrlNamesTheDatabaseToo() {
		this.runner
			.withPropertyValues("redlock.restart-guard.enabled=false",
					"redlock.instances.a.url=redis://127.0.0.1:" + a.port() + "/3")
			.run((context) -> {
				context.getBean(Redlock.class).attemptAndWait(LockRequest.of("third"));
				assertThat(a.<Long>ask((redis) -> {
					redis.select(3);
					return redis.exists("redlock:third");
				})).isOne();
			});
	}

	@Test
	void aDeadInstanceDoesNotStopTheApplication() {
		three().withPropertyValues("redlock.instances.c.port=1").run((context) -> {
			assertThat(context).hasNotFailed();
			LockAttempt attempt = context.getBean(Redlock.class).attemptAndWait(LockRequest.of("minority"));
			assertThat(attempt.lease()).isPresent();
			assertThat(context.getBean(LockNodes.class).list()).last()
				.satisfies((node) -> assertThat(node.status().state()).isEqualTo(State.UNAVAILABLE));
		});
	}

	@Test
	void connectionDetailsMayBeOfASentinelOrACluster() {
		RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration().master("m").sentinel("127.0.0.1", 1);
		Map<String, RedlockConnectionDetails.Node> nodes = Map.of("x",
				new RedlockConnectionDetails.Node(sentinel, null), "y",
				new RedlockConnectionDetails.Node(new RedisClusterConfiguration(List.of("127.0.0.1:2")), null));
		this.runner.withBean(RedlockConnectionDetails.class, () -> () -> nodes)
			.run((context) -> assertThat(context.getBean(LockNodes.class).list()).extracting(LockNode::name)
				.containsExactlyInAnyOrder("x", "y"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OneFactory {

		@Bean
		LettuceConnectionFactory myFactory() {
			return new LettuceConnectionFactory("127.0.0.1", a.port());
		}

	}

}
