package dev.redlock.spring.interceptor;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Bean.Bootstrap;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that Spring creates on another thread while the application starts.
 */
class BackgroundBeanTests {

	@Test
	void aBeanThatIsCreatedInTheBackgroundIsLocked() {
		LockedContexts.runner(new LockWorld()).withUserConfiguration(InBackground.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Stock.class).isLocked()).isTrue();
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class InBackground {

		private final CountDownLatch created = new CountDownLatch(1);

		@Bean(bootstrap = Bootstrap.BACKGROUND)
		Stock stock() {
			return new Stock();
		}

		@Bean
		Executor bootstrapExecutor() {
			return (task) -> new Thread(() -> {
				try {
					task.run();
				}
				finally {
					this.created.countDown();
				}
			}).start();
		}

		/** Keeps the main thread from creating the beans that follow. */
		@Bean
		Object gate() throws InterruptedException {
			assertThat(this.created.await(30, TimeUnit.SECONDS)).isTrue();
			return new Object();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static LockedMethodExtension extension() {
			return (method) -> null;
		}

	}

	static class Stock {

		@RedLock("stock")
		public boolean isLocked() {
			return CurrentLease.get().isPresent();
		}

		@RedLock("own")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void sellApart() {
		}

	}

}
