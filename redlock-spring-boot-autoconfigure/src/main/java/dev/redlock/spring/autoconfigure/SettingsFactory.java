package dev.redlock.spring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.RedlockSettings;
import dev.redlock.spring.redis.NodeSettings;

import org.springframework.core.env.Environment;

/**
 * Turns properties into the settings of the core.
 */
final class SettingsFactory {

	/**
	 * The core names the setting first where one alone is wrong.
	 */
	private static final Pattern SETTING = Pattern.compile("^([a-z]+(?:[.-][a-z]+)*) (?:must|is) ");

	private SettingsFactory() {
	}

	static RedlockSettings create(RedlockProperties properties, Environment environment) {
		String owner = properties.getOwner();
		try {
			return RedlockSettings.builder()
				.keyPrefix(properties.getKeyPrefix())
				.owner((owner != null) ? owner : defaultOwner(environment))
				.ttl(properties.getTtl())
				.maxTtl(properties.getMaxTtl())
				.waitFor(properties.getWaitFor())
				.retryCount(properties.getRetry().getCount())
				.retryDelay(properties.getRetry().getDelay())
				.clockDriftFactor(properties.getClockDriftFactor())
				.nodeTimeout(properties.getNodeTimeout())
				.renew(properties.getRenew().isEnabled())
				.maxHold(properties.getRenew().getMaxHold())
				.maxRenewals(properties.getRenew().getMaxCount())
				.fencing(properties.getFencing().isEnabled())
				.awaitRelease(properties.getRelease().isAwait())
				.shutdownTimeout(properties.getShutdownTimeout())
				.lockDelay(properties.getLockDelay())
				.clockStep(clockStep(properties))
				.build();
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			Matcher setting = SETTING.matcher(message);
			String property = "redlock." + (setting.find() ? setting.group(1) : "ttl");
			throw new InvalidRedlockConfigurationException(property, message.endsWith(".") ? message : message + ".",
					"Change '" + property + "' so that it fits, or remove it to get the default.", ex);
		}
	}

	/**
	 * The same settings with what the guard does not notice of a clock, for applications
	 * that bring settings of their own.
	 */
	static RedlockSettings withClockStep(RedlockSettings own, RedlockProperties properties) {
		Duration least = properties.getRestartGuard().isEnabled() ? NodeSettings.clockStep(own.maxTtl())
				: Duration.ZERO;
		return (own.clockStep().compareTo(least) >= 0) ? own : own.toBuilder().clockStep(least).build();
	}

	/**
	 * Without the guard the clocks of the nodes are not watched.
	 */
	private static Duration clockStep(RedlockProperties properties) {
		return properties.getRestartGuard().isEnabled() ? NodeSettings.clockStep(properties.getMaxTtl())
				: Duration.ZERO;
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
