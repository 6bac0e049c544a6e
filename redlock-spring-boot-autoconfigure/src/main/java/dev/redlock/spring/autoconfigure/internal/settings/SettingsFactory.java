package dev.redlock.spring.autoconfigure.internal.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;

import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;

import org.springframework.core.env.Environment;

/**
 * Turns the properties below {@code redlock} into {@link RedlockSettings}.
 */
public final class SettingsFactory {

	private SettingsFactory() {
	}

	public static RedlockSettings create(RedlockProperties properties, Environment environment) {
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
			.releaseRunning(properties.shutdown().releaseRunning())
			.lockDelay(properties.lockDelay())
			.clockStep(clockStep(properties, properties.maxTtl()));
		try {
			return settings.build();
		}
		catch (IllegalArgumentException ex) {
			String property = "redlock." + property(String.valueOf(ex.getMessage()), properties);
			throw new InvalidRedlockConfigurationException(property, reason(property, ex, properties),
					"Change '" + property + "', or remove the property to get the default.", ex);
		}
	}

	/**
	 * Returns the property that a failed check names in the first word of its message. If
	 * the message is about the ttl, returns the property that probably caused the
	 * mistake, such as {@code node-timeout}.
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
	 * Raises the setting {@code clockStep} to the largest jump of a server's clock that
	 * the restart guard does not notice.
	 */
	public static RedlockSettings withClockStep(RedlockSettings own, RedlockProperties properties) {
		Duration least = clockStep(properties, own.maxTtl());
		return (own.clockStep().compareTo(least) >= 0) ? own : own.toBuilder().clockStep(least).build();
	}

	/**
	 * Returns zero if {@code redlock.restart-guard.enabled} is false, because jumps of a
	 * server's clock are not detected then.
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
