package dev.redlock.nemesis;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.ReleaseResult;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * This project's lock, as an application uses it: through the starter and the template.
 */
public final class RedlockDriver implements LockDriver {

	private static final Duration LONGEST_RELEASE = Duration.ofSeconds(10);

	private @Nullable ConfigurableApplicationContext context;

	/**
	 * Creates a driver that is not connected.
	 */
	public RedlockDriver() {
	}

	@Override
	public void connect(Iterable<String> addresses, boolean restartGuard) {
		connect(addresses, restartGuard, shortTimes());
	}

	/**
	 * The properties for locks that live for two seconds at most.
	 */
	static Map<String, Object> shortTimes() {
		return Map.of("redlock.ttl", MAX_TTL, "redlock.max-ttl", MAX_TTL, "redlock.node-timeout", "100ms",
				"redlock.connect-timeout", "1s", "redlock.retry.delay", "20ms");
	}

	/**
	 * Connects with other properties than usual.
	 * @param properties those beside the servers, the prefix and the restart guard
	 */
	void connect(Iterable<String> addresses, boolean restartGuard, Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("redlock.key-prefix", KEY_PREFIX);
		all.put("redlock.restart-guard.enabled", restartGuard);
		char node = 'a';
		for (String address : addresses) {
			all.put("redlock.instances." + node + ".url", "redis://" + address);
			node++;
		}
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(all)
			.run();
	}

	@Override
	public Optional<Grant> acquire(String name, Duration ttl, Duration wait) {
		return acquire(LockRequest.of(name).withTtl(ttl).withWaitFor(wait));
	}

	Optional<Grant> acquire(LockRequest request) {
		return bean(RedLockTemplate.class).tryAcquire(request).map(LeaseGrant::of);
	}

	@Override
	public void close() {
		if (this.context != null) {
			this.context.close();
		}
	}

	<T> T bean(Class<T> type) {
		if (this.context == null) {
			throw new IllegalStateException("The driver is not connected");
		}
		return this.context.getBean(type);
	}

	/**
	 * An application with nothing but what the starter brings.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	private record LeaseGrant(Lease lease, long validUntilNanos) implements Grant {

		static Grant of(Lease lease) {
			// The clock first: a pause in between must not make the belief longer.
			long now = SteppedClock.machineNanos();
			return new LeaseGrant(lease, now + lease.remaining().toNanos());
		}

		@Override
		public long fence() {
			return this.lease.fence();
		}

		@Override
		public void onLoss(Runnable listener) {
			this.lease.lost().thenRun(listener);
		}

		@Override
		public int release() {
			return this.lease.releaseAsync()
				.toCompletableFuture()
				.orTimeout(LONGEST_RELEASE.toMillis(), TimeUnit.MILLISECONDS)
				.thenApply(ReleaseResult::released)
				.join();
		}

	}

}
