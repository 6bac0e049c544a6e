package dev.redlock.it;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that holds locks until it is told to end. Arguments are properties.
 */
final class HoldingProcess {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

	private HoldingProcess() {
	}

	public static void main(String[] args) throws InterruptedException {
		ConfigurableApplicationContext context = start(args);
		RedLockTemplate template = context.getBean(RedLockTemplate.class);
		template.acquire(LockRequest.of("held:1").withWaitFor(LONGEST_WAIT));
		template.acquire(LockRequest.of("held:2", "held:3").withWaitFor(LONGEST_WAIT).withRenew(true));
		System.out.println("holding");
		Thread.currentThread().join();
	}

	static ConfigurableApplicationContext start(String... args) {
		SpringApplication application = new SpringApplicationBuilder(LockedApplication.class)
			.web(WebApplicationType.NONE)
			.build();
		return application.run(args);
	}

}
