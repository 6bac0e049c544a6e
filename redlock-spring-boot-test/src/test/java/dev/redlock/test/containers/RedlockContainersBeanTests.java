package dev.redlock.test.containers;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@NeedsDocker
@SpringBootTest
class RedlockContainersBeanTests {

	@Test
	void containersOfABeanMethodAreStartedAndUsed(@Autowired Redlock redlock, @Autowired RedlockContainers redis) {
		assertThat(redlock.attemptAndWait(LockRequest.of("bean")).lease()).isPresent();
		assertThat(redis.get("a").command("EXISTS", "redlock:bean")).isEqualTo("1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ServiceConnection
		RedlockContainers redis() {
			return new RedlockContainers(1);
		}

	}

}
