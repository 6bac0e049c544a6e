package dev.redlock.spring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.NodeSettings;

import org.springframework.core.env.Environment;

/**
 * Turns properties into the settings of the core.
 */
final class SettingsFactory {

	/**
	 * Matches messages of the core about a single setting, which begin with its name.
	 */
	private static final Pattern SETTING = Pattern.compile("^([a-z]+(?:[.-][a-z]+)*) (?:must|is) ");

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
			.maxRenewals(properties.renew().maxCount())
			.fencing(properties.fencing().enabled())
			.awaitRelease(properties.release().await())
			.shutdownTimeout(properties.shutdownTimeout())
			.lockDelay(properties.lockDelay())
			.clockStep(clockStep(properties, properties.maxTtl()));
		try {
			return settings.build();
		}
		catch (IllegalArgumentException ex) {
			String message = String.valueOf(ex.getMessage());
			Matcher setting = SETTING.matcher(message);
			String property = "redlock." + (setting.find() ? setting.group(1) : misfit(settings, properties));
			throw new InvalidRedlockConfigurationException(property, message.endsWith(".") ? message : message + ".",
					"Change '" + property + "' so that it fits, or remove it to get the default.", ex);
		}
	}

	/**
	 * Returns which of the settings to change that do not fit together: the first one
	 * that would fit the others with its least or default value.
	 */
	private static String misfit(RedlockSettings.Builder settings, RedlockProperties properties) {
		if (properties.nodeTimeout() != null && fits(settings.nodeTimeout(Duration.ofNanos(1)))) {
			return "node-timeout";
		}
		if (fits(settings.lockDelay(Duration.ZERO))) {
			return "lock-delay";
		}
		Duration maxTtl = RedlockSettings.DEFAULTS.maxTtl();
		return fits(settings.maxTtl(maxTtl).clockStep(clockStep(properties, maxTtl))) ? "max-ttl" : "ttl";
	}

	private static boolean fits(RedlockSettings.Builder settings) {
		try {
			settings.build();
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Raises the clock step of settings that the application made itself to the step that
	 * the restart guard cannot notice.
	 */
	static RedlockSettings withClockStep(RedlockSettings own, RedlockProperties properties) {
		Duration least = clockStep(properties, own.maxTtl());
		return (own.clockStep().compareTo(least) >= 0) ? own : own.toBuilder().clockStep(least).build();
	}

	/**
	 * Without the restart guard, the clocks of the nodes are not watched.
	 */
	private static Duration clockStep(RedlockProperties properties, Duration maxTtl) {
		return properties.restartGuard().enabled() ? NodeSettings.clockStep(maxTtl) : Duration.ZERO;
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
