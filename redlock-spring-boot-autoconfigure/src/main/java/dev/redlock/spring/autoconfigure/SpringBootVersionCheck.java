package dev.redlock.spring.autoconfigure;

import dev.redlock.spring.autoconfigure.internal.settings.InvalidRedlockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Reports that Spring Boot is too old for Redlock, before startup fails because of a
 * missing class. Uses only types that Spring Boot 3 has too.
 */
final class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		if (version != null && version.matches("[1-3]\\..*")) {
			throw InvalidRedlockConfigurationException.springBootTooOld(version);
		}
	}

}
