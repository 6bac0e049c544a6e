package dev.redlock.spring.interceptor;

import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;
import org.springframework.resilience.retry.MethodRetrySpec;
import org.springframework.resilience.retry.SimpleRetryInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods with {@code @Retryable} and {@code @RedLock}.
 */
class RetriedLockTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withBean(LockWorld.class, () -> this.world);

	@ParameterizedTest
	@ValueSource(classes = { Repeated.class, RepeatedOfType.class })
	void retryOfWorkThatMayBeCommittedIsRefused(Class<?> type) {
		this.runner.withUserConfiguration(Resilient.class)
			.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageEndingWith(
						"pay(), place: a retry repeats work that may be committed: the lock can be lost when the work "
								+ "is done. Write @Retryable(excludes = LockLostAfterCommitException.class) on the "
								+ "method or on its class."));
	}

	@ParameterizedTest
	@ValueSource(classes = { Excluded.class, KeptOutByPredicate.class, Ignored.class })
	void retryThatKeepsThisLossOutStarts(Class<?> type) {
		this.runner.withUserConfiguration(Resilient.class)
			.withBean(type)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void retryInsideOfTheLockStarts() {
		this.runner.withUserConfiguration(RetryInside.class)
			.withBean(Repeated.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void committedWorkIsNotRepeated() {
		this.runner.withUserConfiguration(Resilient.class).withBean(Excluded.class).run((context) -> {
			Excluded excluded = context.getBean(Excluded.class);
			assertThatExceptionOfType(LockLostAfterCommitException.class).isThrownBy(excluded::pay)
				.withMessageContaining("The work may be committed, so a retry could do the work twice.");
			assertThat(excluded.paid()).isOne();
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Resilient {

	}

	@Configuration(proxyBeanMethods = false)
	static class RetryInside {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor retry() {
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
					AnnotationMatchingPointcut.forMethodAnnotation(Retryable.class),
					new SimpleRetryInterceptor(new MethodRetrySpec((method, failure) -> true, 1, Duration.ZERO)));
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

	}

	static class Repeated {

		@Retryable
		@RedLock("pay")
		public void pay() {
		}

	}

	@Retryable(IOException.class)
	static class RepeatedOfType {

		@Retryable(LockLostException.class)
		@RedLock("pay")
		public void pay() {
		}

	}

	static class Excluded {

		private final AtomicInteger paid = new AtomicInteger();

		private final LockWorld world;

		Excluded(LockWorld world) {
			this.world = world;
		}

		@Retryable(delay = 0, excludes = LockLostAfterCommitException.class)
		@RedLock("pay")
		public void pay() {
			this.paid.incrementAndGet();
			this.world.redlock.revoke("pay");
		}

		public int paid() {
			return this.paid.get();
		}

	}

	static class KeptOutByPredicate {

		@Retryable(predicate = NoLoss.class)
		@RedLock("pay")
		public void pay() {
		}

	}

	static class Ignored {

		@Retryable
		@RedLock(resource = "pay", onLoss = RedLock.OnLoss.IGNORE)
		public void pay() {
		}

	}

	static class NoLoss implements MethodRetryPredicate {

		@Override
		public boolean shouldRetry(Method method, Throwable failure) {
			return !(failure instanceof LockLostException);
		}

	}

}
