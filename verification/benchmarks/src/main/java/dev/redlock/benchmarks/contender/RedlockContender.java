package dev.redlock.benchmarks.contender;

import java.time.Duration;
import java.util.List;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * This project's lock through the template of an application with the starter.
 */
final class RedlockContender implements Contender {

	private final ConfigurableApplicationContext context;

	private final RedLockTemplate template;

	private final Duration longestQuarantine;

	private RedlockContender(ConfigurableApplicationContext context, Terms terms) {
		this.context = context;
		this.template = context.getBean(RedLockTemplate.class);
		this.longestQuarantine = terms.longestQuarantine();
		awaitReady();
	}

	static Contender withDefaults(List<Integer> ports, Terms terms) {
		return new RedlockContender(Contexts.start(ports, terms), terms);
	}

	static Contender unfenced(List<Integer> ports, Terms terms) {
		return new RedlockContender(Contexts.start(ports, terms, "redlock.fencing.enabled=false",
				"redlock.restart-guard.enabled=false", "redlock.key-prefix=unfenced:"), terms);
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		try {
			return this.template.execute(LockRequest.of(name), (lease) -> {
				work.run();
				return true;
			});
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
	}

	@Override
	public void awaitReady() {
		Contexts.awaitReady(this.context, this.longestQuarantine);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
