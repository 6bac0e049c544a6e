package dev.redlock.spring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.NodeSettings;
import org.jspecify.annotations.Nullable;

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
			.maxRenewals(properties.renew().maxCount())
			.fencing(properties.fencing().enabled())
			.awaitRelease(properties.release().await())
			.shutdownTimeout(properties.shutdownTimeout())
			.lockDelay(properties.lockDelay())
			.clockStep(clockStep(properties, properties.maxTtl()));
		IllegalArgumentException failure = failure(settings);
		if (failure != null) {
			throw misfit(settings, properties, failure);
		}
		return settings.build();
	}

	/**
	 * Explains which setting to change: the one without which the settings fit together.
	 * One after the other gets its default or its least value, those that limit others
	 * last.
	 */
	private static InvalidRedlockConfigurationException misfit(RedlockSettings.Builder settings,
			RedlockProperties properties, IllegalArgumentException first) {
		RedlockSettings defaults = RedlockSettings.DEFAULTS;
		Map<String, Runnable> resets = new LinkedHashMap<>();
		resets.put("wait-for", () -> settings.waitFor(defaults.waitFor()));
		resets.put("retry.count", () -> settings.retryCount(defaults.retryCount()));
		resets.put("retry.delay", () -> settings.retryDelay(defaults.retryDelay()));
		resets.put("renew.max-hold", () -> settings.maxHold(defaults.maxHold()));
		resets.put("renew.max-count", () -> settings.maxRenewals(defaults.maxRenewals()));
		resets.put("shutdown-timeout", () -> settings.shutdownTimeout(defaults.shutdownTimeout()));
		resets.put("owner", () -> settings.owner(defaults.owner()));
		resets.put("key-prefix", () -> settings.keyPrefix(defaults.keyPrefix()));
		resets.put("clock-drift-factor", () -> settings.clockDriftFactor(defaults.clockDriftFactor()));
		resets.put("node-timeout",
				() -> settings.nodeTimeout((properties.nodeTimeout() != null) ? Duration.ofNanos(1) : null));
		resets.put("lock-delay", () -> settings.lockDelay(Duration.ZERO));
		resets.put("max-ttl",
				() -> settings.maxTtl(defaults.maxTtl()).clockStep(clockStep(properties, defaults.maxTtl())));
		resets.put("ttl", () -> settings.ttl(defaults.ttl()));
		IllegalArgumentException failure = first;
		for (Map.Entry<String, Runnable> reset : resets.entrySet()) {
			reset.getValue().run();
			IllegalArgumentException next = failure(settings);
			if (next == null) {
				return notUsable("redlock." + reset.getKey(), failure, properties);
			}
			failure = next;
		}
		return notUsable("redlock", failure, properties);
	}

	private static InvalidRedlockConfigurationException notUsable(String property, IllegalArgumentException failure,
			RedlockProperties properties) {
		return new InvalidRedlockConfigurationException(property, reason(property, failure, properties),
				"Change '" + property + "' so that it fits, or remove it to get the default.", failure);
	}

	/**
	 * Says why a setting does not fit the ttl. The core blames the ttl, because it checks
	 * that of each lock.
	 */
	private static String reason(String property, IllegalArgumentException failure, RedlockProperties properties) {
		String ttl = "redlock.ttl, " + properties.ttl().toMillis() + " ms";
		Duration maxTtl = properties.maxTtl();
		if (property.equals("redlock.max-ttl") && maxTtl.compareTo(properties.ttl()) < 0) {
			return "it is " + maxTtl.toMillis() + " ms, and must be at least " + ttl + ".";
		}
		if (property.equals("redlock.max-ttl") && maxTtl.compareTo(RedlockSettings.DEFAULTS.maxTtl()) > 0) {
			return "it is " + maxTtl.toMillis() + " ms. The larger it is, the more of each lock is given to clocks that"
					+ " step: " + clockStep(properties, maxTtl).toMillis() + " ms, and nothing is left of " + ttl + ".";
		}
		String message = String.valueOf(failure.getMessage());
		return message.endsWith(".") ? message : message + ".";
	}

	private static @Nullable IllegalArgumentException failure(RedlockSettings.Builder settings) {
		try {
			settings.build();
			return null;
		}
		catch (IllegalArgumentException ex) {
			return ex;
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
