package dev.redlock.spring.interceptor;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationClassTests {

	private final LockWorld world = new LockWorld();

	@Test
	void methodOfAConfigurationClassIsLocked() {
		LockedContexts.runner(this.world).withUserConfiguration(Full.class).run((context) -> {
			assertThat(context.getBean(Full.class).resources()).isEqualTo("[full]");
			assertThat(context.getBean("once")).isSameAs(context.getBean(Full.class).once());
		});
	}

	@Configuration
	static class Full {

		@RedLock("full")
		public String resources() {
			return CurrentLease.require().resources().toString();
		}

		@Bean
		Object once() {
			return new Object();
		}

	}

}
