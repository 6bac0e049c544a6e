package dev.redlock.spring.autoconfigure;

import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks on the Redis of a connection factory of the application, over a client of their
 * own.
 */
class ConnectionFactoryTests extends ThreeServers {

	@Test
	void locksHaveAClientOfTheirOwnWithTheNameAndTheDatabaseOfTheFactory() {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", a.port());
		server.setDatabase(3);
		LettuceClientConfiguration client = LettuceClientConfiguration.builder().clientName("shop").build();
		named(() -> new LettuceConnectionFactory(server, client)).run((context) -> {
			context.getBean(LettuceConnectionFactory.class).stop();
			context.getBean(RedLockOperations.class)
				.execute(LockRequest.of("mine"), (lease) -> assertThat(clients()).anyMatch(
						(line) -> line.contains("name=shop") && line.contains("db=3") && line.contains("cmd=evalsha")));
		});
	}

	@Test
	void aFactoryOfAClusterHasANodeOfAllItsMasters() {
		try (RedisProcess member = RedisProcess.start("--cluster-enabled", "yes")) {
			member.takeAllSlots();
			RedisClusterConfiguration cluster = new RedisClusterConfiguration().clusterNode("127.0.0.1", member.port());
			named(() -> new LettuceConnectionFactory(cluster)).run((context) -> assertThat(
					context.getBean(Redlock.class).attemptAndWait(LockRequest.of("x", "y")).lease())
				.isPresent());
		}
	}

	@ParameterizedTest
	@MethodSource
	void aFactoryThatLocksCannotUseIsRefused(Supplier<RedisConnectionFactory> maker, String type) {
		named(maker).run((context) -> {
			FailureAnalysis analysis = analysis(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'redlock.instances.a.connection-factory'")
				.contains("the bean 'mine' (" + type);
			assertThat(analysis.getAction()).contains("by host, url, sentinel or cluster");
		});
		this.runner.withBean("mine", RedisConnectionFactory.class, maker)
			.run((context) -> assertThat(analysis(context.getStartupFailure()).getDescription())
				.contains("'redlock.instances'")
				.contains("the bean 'mine' (" + type));
	}

	static Stream<Arguments> aFactoryThatLocksCannotUseIsRefused() {
		RedisStaticMasterReplicaConfiguration replicas = new RedisStaticMasterReplicaConfiguration("127.0.0.1",
				a.port());
		return Stream.of(
				Arguments.of((Supplier<?>) JedisConnectionFactory::new, JedisConnectionFactory.class.getName()),
				Arguments.of((Supplier<?>) () -> new LettuceConnectionFactory(replicas),
						LettuceConnectionFactory.class.getName()),
				Arguments.of((Supplier<?>) OwnConnectionFactory::new, OwnConnectionFactory.class.getName()));
	}

	private ApplicationContextRunner named(Supplier<? extends RedisConnectionFactory> maker) {
		return this.runner.withBean("mine", RedisConnectionFactory.class, maker::get)
			.withPropertyValues("redlock.restart-guard.enabled=false", "redlock.instances.a.connection-factory=mine");
	}

	private static Stream<String> clients() {
		return a.<String>ask((redis) -> redis.clientList()).lines();
	}

	private static FailureAnalysis analysis(Throwable failure) {
		return new RedlockFailureAnalyzer(null).analyze(failure);
	}

	static class OwnConnectionFactory extends LettuceConnectionFactory {

	}

}
