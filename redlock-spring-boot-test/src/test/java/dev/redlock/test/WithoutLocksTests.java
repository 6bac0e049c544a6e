package dev.redlock.test;

import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@WithoutLocks
class WithoutLocksTests {

	@Test
	void anOrderIsPlacedWhoeverHoldsTheLock(@Autowired Orders orders, @Autowired RedLockOperations locks) {
		locks.acquire(LockRequest.of("orders:book"));
		assertThat(orders.place("book")).isEqualTo("placed book");
	}

	@Test
	void aMethodMayNameInstancesThatAreNotThere() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("redlock.enabled=false")
			.withBean(Branch.class)
			.run((context) -> assertThat(context.getBean(Branch.class).place("cup")).isEqualTo("placed cup"));
	}

	static class Branch {

		@RedLock(resource = "branch:#{#article}", instances = { "north", "south", "west" })
		public String place(String article) {
			return "placed " + article;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class Application {

	}

}
