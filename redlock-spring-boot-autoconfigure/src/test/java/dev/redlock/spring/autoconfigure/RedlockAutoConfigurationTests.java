package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockAssert;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.health.DataRedisHealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RedlockAutoConfigurationTests extends ThreeServers {

	@Test
	void aLockIsHeldOnAllInstancesAndReleasedWhenTheContextCloses() {
		three().withPropertyValues("redlock.shutdown.release-running=true").run((context) -> {
			LockAttempt attempt = context.getBean(Redlock.class).attemptAndWait(LockRequest.of("stock:42"));
			assertThat(attempt.lease()).isPresent();
			List.of(a, b, c).forEach((server) -> awaitKey(server, "redlock:stock:42"));
		});
		assertThat(a.<Long>ask((redis) -> redis.exists("redlock:stock:42"))).isZero();
		assertThat(b.<Long>ask((redis) -> redis.exists("redlock:stock:42"))).isZero();
		assertThat(c.<Long>ask((redis) -> redis.exists("redlock:stock:42"))).isZero();
	}

	@Test
	void aContextThatFailsToStartReleasesWhatItHolds() {
		three().withPropertyValues("redlock.shutdown.release-running=true")
			.withUserConfiguration(HoldsAndFails.class)
			.run((context) -> assertThat(context).hasFailed());
		assertThat(a.<Long>ask((redis) -> redis.exists("redlock:doomed"))).isZero();
	}

	@Test
	void serversAreConnectedWhenTheContextStartsAndNotWhileItsBeansAreMade() {
		long[] early = { -1 };
		three().withBean(SmartInitializingSingleton.class, () -> () -> early[0] = connections())
			.withPropertyValues("redlock.instances.a.client-name=of-the-lock",
					"redlock.instances.b.client-name=of-the-lock", "redlock.instances.c.client-name=of-the-lock")
			.run((context) -> {
				assertThat(early[0]).isZero();
				assertThat(connections()).isPositive();
				assertThat(context.getBean(Redlock.class).quorum().ready()).isEqualTo(3);
			});
	}

	@Test
	void aBeanThatNeedsALockWhileTheContextIsCreatedGetsIt() {
		three().withUserConfiguration(LocksWhileItIsMade.class).run((context) -> {
			context.getBean("blocking", LockAttempt.class).orThrow().close();
			context.getBean("future", LockAttempt.class).orThrow().close();
		});
	}

	@Test
	void theApplicationsOwnRedisBeansAreTheSameWithAndWithoutTheLock() {
		ApplicationContextRunner own = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class,
					DataRedisReactiveAutoConfiguration.class, DataRedisHealthContributorAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.port=" + a.port());
		Map<Class<?>, String[]> without = new LinkedHashMap<>();
		own.run((context) -> without.putAll(redisBeans(context)));
		assertThat(without.get(RedisConnectionFactory.class)).hasSize(1);
		assertThat(without.get(HealthContributor.class)).hasSize(1);
		own.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withPropertyValues(instances())
			.run((context) -> {
				assertThat(context).hasSingleBean(Redlock.class);
				assertThat(redisBeans(context)).usingRecursiveComparison().isEqualTo(without);
			});
	}

	@Test
	void propertiesReachTheSettings() {
		three()
			.withPropertyValues("redlock.key-prefix=", "redlock.ttl=10s", "redlock.max-ttl=20s", "redlock.wait-for=1s",
					"redlock.retry.count=3", "redlock.retry.delay=50ms", "redlock.clock-drift-factor=0.02",
					"redlock.node-timeout=70ms", "redlock.renew.enabled=true", "redlock.renew.max-hold=2m",
					"redlock.fencing.enabled=false", "redlock.release.await=true", "redlock.shutdown-timeout=3s",
					"redlock.shutdown.release-running=true", "redlock.lock-delay=4s", "redlock.owner=me")
			.run((context) -> assertThat(context.getBean(RedlockSettings.class)).isEqualTo(RedlockSettings.builder()
				.keyPrefix("")
				.owner("me")
				.ttl(Duration.ofSeconds(10))
				.maxTtl(Duration.ofSeconds(20))
				.waitFor(Duration.ofSeconds(1))
				.retryCount(3)
				.retryDelay(Duration.ofMillis(50))
				.clockDriftFactor(0.02)
				.nodeTimeout(Duration.ofMillis(70))
				.renew(true)
				.maxHold(Duration.ofMinutes(2))
				.fencing(false)
				.awaitRelease(true)
				.shutdownTimeout(Duration.ofSeconds(3))
				.releaseRunning(true)
				.lockDelay(Duration.ofSeconds(4))
				.build()));
	}

	@Test
	void defaultsAreThoseOfTheCoreAndTheOwnerIsApplicationAtHost() {
		three().withPropertyValues("spring.application.name=shop").run((context) -> {
			RedlockSettings settings = context.getBean(RedlockSettings.class);
			assertThat(settings.owner()).startsWith("shop@").hasSizeGreaterThan(5);
			assertThat(settings).usingRecursiveComparison()
				.ignoringFields("owner", "clockStep")
				.isEqualTo(RedlockSettings.DEFAULTS);
		});
	}

	@Test
	void whatAClockMayGainUnnoticedIsTakenOffTheValidityWhereTheGuardIsOn() {
		three().withPropertyValues("redlock.restart-guard.enabled=true")
			.run((context) -> assertThat(context.getBean(RedlockSettings.class).clockStep())
				.isEqualTo(Duration.ofMillis(70)));
		three().run((context) -> assertThat(context.getBean(RedlockSettings.class).clockStep()).isZero());
	}

	@Test
	void turnedOffEveryBeanIsThereAndLockedMethodsRunAtOnce(CapturedOutput output) {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class,
					RedlockReactiveAutoConfiguration.class))
			.withBean(Unlocked.class)
			.run((context) -> {
				assertThat(context).hasSingleBean(RedlockSettings.class).hasSingleBean(RedLockOperations.class);
				assertThat(context.getBean(Redlock.class).attemptAndWait(LockRequest.of("a")).lease()).isPresent();
				Unlocked unlocked = context.getBean(Unlocked.class);
				context.getBean(RedLockTemplate.class).acquire(LockRequest.of("job"));
				context.getBean(ReactiveRedLockTemplate.class).acquire(LockRequest.of("job")).block();
				assertThat(unlocked.blocking()).isEqualTo("done");
				assertThat(unlocked.reactive().block()).isEqualTo("done");
				assertThat(output).containsOnlyOnce("methods with @RedLock run without a lock");
			});
	}

	@Test
	void beansOfTheApplicationTakeThePlaceOfOurs() {
		RedlockSettings settings = RedlockSettings.DEFAULTS;
		three().withBean("mine", RedlockSettings.class, () -> settings)
			.run((context) -> assertThat(context.getBean(Redlock.class).settings()).isSameAs(settings));
	}

	@Test
	void customizersOfSpringBootAreHonoured() {
		boolean[] called = new boolean[2];
		three().withBean(LettuceClientOptionsBuilderCustomizer.class, () -> (options) -> {
			called[0] = true;
			options.autoReconnect(true);
		}).withBean(RedlockClientCustomizer.class, () -> (instance, client) -> called[1] = true).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(called).containsExactly(true, true);
		});
	}

	@Test
	void itWorksWithoutSpringBootsRedisSupport() {
		three().withClassLoader(new FilteredClassLoader("org.springframework.boot.data.redis"))
			.run((context) -> assertThat(context).hasSingleBean(Redlock.class));
	}

	/**
	 * A server may be asked after the majority has granted.
	 */
	private static Long awaitKey(RedisProcess server, String key) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.until(() -> server.<Long>ask((redis) -> redis.exists(key)), (count) -> count == 1);
	}

	private static long connections() {
		return Stream.of(a, b, c)
			.mapToLong((server) -> server
				.ask((redis) -> redis.clientList().lines().filter((line) -> line.contains("name=of-the-lock")).count()))
			.sum();
	}

	private static Map<Class<?>, String[]> redisBeans(AssertableApplicationContext context) {
		Map<Class<?>, String[]> beans = new LinkedHashMap<>();
		for (Class<?> type : new Class<?>[] { RedisConnectionFactory.class, ReactiveRedisConnectionFactory.class,
				RedisOperations.class, HealthContributor.class }) {
			beans.put(type, context.getBeanNamesForType(type));
		}
		return beans;
	}

	static class Unlocked {

		@RedLock("job")
		public String blocking() {
			RedLockAssert.assertLocked("job");
			return "done";
		}

		@RedLock("job")
		public Mono<String> reactive() {
			return ReactiveCurrentLease.require("job").thenReturn("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LocksWhileItIsMade {

		@Bean
		LockAttempt blocking(Redlock redlock) {
			return redlock.attemptAndWait(LockRequest.of("blocking").withWaitFor(Duration.ZERO));
		}

		@Bean
		LockAttempt future(Redlock redlock) {
			return redlock.attempt(LockRequest.of("future").withWaitFor(Duration.ZERO)).toCompletableFuture().join();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HoldsAndFails {

		@Bean
		Object doomed(Redlock redlock) {
			assertThat(redlock.attemptAndWait(LockRequest.of("doomed")).lease()).isPresent();
			throw new IllegalStateException("This context does not start");
		}

	}

}
