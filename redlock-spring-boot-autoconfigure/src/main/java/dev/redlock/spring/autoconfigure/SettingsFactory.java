package dev.redlock.spring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;

import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;

import org.springframework.core.env.Environment;

/**
 * Turns properties into the settings of the core.
 */
final class SettingsFactory {

	private SettingsFactory() {
	}

	static RedlockSettings create(RedlockProperties properties, Environment environment) {
		String owner = properties.owner();
		RedlockSettings.Builder settings = RedlockSettings.builder()
			.keyPrefix(properties.keyPrefix())
			.owner((owner != null) ? owner : defaultOwner(environment))
			.ttl(properties.ttl())
			.maxTtl(properties.maxTtl())
			.waitFor(properties.waitFor())
			.retryCount(properties.retry().count())
			.retryDelay(properties.retry().delay())
			.clockDriftFactor(properties.clockDriftFactor())
			.nodeTimeout(properties.nodeTimeout())
			.renew(properties.renew().enabled())
			.maxHold(properties.renew().maxHold())
			.fencing(properties.fencing().enabled())
			.awaitRelease(properties.release().await())
			.shutdownTimeout(properties.shutdownTimeout())
			.lockDelay(properties.lockDelay())
			.clockStep(clockStep(properties, properties.maxTtl()));
		try {
			return settings.build();
		}
		catch (IllegalArgumentException ex) {
			String property = "redlock." + property(String.valueOf(ex.getMessage()), properties);
			throw new InvalidRedlockConfigurationException(property, reason(property, ex, properties),
					"Change '" + property + "' so that it fits, or remove it to get the default.", ex);
		}
	}

	/**
	 * Returns the name of the wrong setting, which is at the beginning of a message. If
	 * settings contradict each other, returns a setting that the configuration has set,
	 * and the ttl only if no other setting was set.
	 */
	private static String property(String message, RedlockProperties properties) {
		if (!message.startsWith("The ttl")) {
			return message.substring(0, message.indexOf(' '));
		}
		if (properties.nodeTimeout() != null) {
			return "node-timeout";
		}
		if (!properties.lockDelay().isZero()) {
			return "lock-delay";
		}
		return properties.maxTtl().equals(RedlockSettings.DEFAULTS.maxTtl()) ? "ttl" : "max-ttl";
	}

	private static String reason(String property, IllegalArgumentException failure, RedlockProperties properties) {
		String ttl = "redlock.ttl, " + properties.ttl().toMillis() + " ms";
		Duration maxTtl = properties.maxTtl();
		if (property.equals("redlock.max-ttl") && maxTtl.compareTo(properties.ttl()) < 0) {
			return "the value is " + maxTtl.toMillis() + " ms, and must be at least " + ttl + ".";
		}
		if (property.equals("redlock.max-ttl") && maxTtl.compareTo(RedlockSettings.DEFAULTS.maxTtl()) > 0) {
			return "the value is " + maxTtl.toMillis() + " ms. A larger max-ttl means that more of each ttl is kept "
					+ "as an allowance for clocks that step: " + clockStep(properties, maxTtl).toMillis()
					+ " ms, and nothing is left of " + ttl + ".";
		}
		String message = String.valueOf(failure.getMessage());
		return message.endsWith(".") ? message : message + ".";
	}

	/**
	 * Raises the clock step of the application's own settings to the largest step that
	 * the restart guard cannot notice.
	 */
	static RedlockSettings withClockStep(RedlockSettings own, RedlockProperties properties) {
		Duration least = clockStep(properties, own.maxTtl());
		return (own.clockStep().compareTo(least) >= 0) ? own : own.toBuilder().clockStep(least).build();
	}

	/**
	 * Returns the largest clock step that the restart guard cannot notice. Without the
	 * restart guard the result is zero, because clocks are not watched.
	 */
	private static Duration clockStep(RedlockProperties properties, Duration maxTtl) {
		return properties.restartGuard().enabled() ? LockNodes.clockStep(maxTtl) : Duration.ZERO;
	}

	private static String defaultOwner(Environment environment) {
		String application = environment.getProperty("spring.application.name", "");
		return application.isEmpty() ? host() : application + "@" + host();
	}

	private static String host() {
		String name = System.getenv("HOSTNAME");
		if (name != null && !name.isBlank()) {
			return name.toLowerCase(Locale.ROOT);
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
