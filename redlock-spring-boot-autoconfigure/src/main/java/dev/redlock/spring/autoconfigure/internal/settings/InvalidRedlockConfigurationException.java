package dev.redlock.spring.autoconfigure.internal.settings;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if a property below {@code redlock} is wrong, or if several
 * properties contradict each other.
 */
public final class InvalidRedlockConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final String NAME_THE_SERVERS = """
			Name the Redis servers in application.yml, an odd number of independent masters:

			redlock:
			  instances:
			    a: { host: redis-a.example.org }
			    b: { host: redis-b.example.org }
			    c: { host: redis-c.example.org }

			For development without Redis, add the dependency dev.redlock:redlock-spring-boot-test \
			(optional in Maven, developmentOnly in Gradle) and set redlock.embedded.enabled=true: \
			the application then starts its own embedded nodes. Embedded nodes exclude no other process, \
			so never use them in production. Tests with an application context and Spring Boot's \
			developer tools start embedded nodes without the property. \
			To run without locks, set redlock.enabled to false.""";

	private static final String ADD_THE_MODULE = """
			Start the application by spring-boot:run, bootRun or the IDE: an optional or \
			developmentOnly dependency is left out of a packaged application. If the module is \
			not in the build yet, add dev.redlock:redlock-spring-boot-test. \
			In production, name the Redis servers in redlock.instances.""";

	private static final String ADD_THE_STARTER = "To use the server of spring.data.redis, add "
			+ "org.springframework.boot:spring-boot-starter-data-redis, which creates a RedisConnectionFactory bean.";

	private final String description;

	private final String action;

	public InvalidRedlockConfigurationException(String property, String reason, String action) {
		this(property, reason, action, null);
	}

	public InvalidRedlockConfigurationException(String property, String reason, String action,
			@Nullable Throwable cause) {
		this(cause, "The configuration property '" + property + "' is not usable: " + reason, action, " " + action);
	}

	private InvalidRedlockConfigurationException(@Nullable Throwable cause, String description, String action,
			String hint) {
		super(description + hint, cause);
		this.description = description;
		this.action = action;
	}

	private static InvalidRedlockConfigurationException noServers(String description, String hint) {
		return new InvalidRedlockConfigurationException(null, description, (hint + "\n\n" + NAME_THE_SERVERS).strip(),
				hint + " Set redlock.instances.<name>.host for an odd number of independent masters,"
						+ " or set redlock.enabled to false to run without locks.");
	}

	public static InvalidRedlockConfigurationException springBootTooOld(String version) {
		String action = "Update to Spring Boot 4, or remove redlock-spring-boot from the dependencies.";
		return new InvalidRedlockConfigurationException(null,
				"redlock-spring-boot needs Spring Boot 4, and this application runs on " + version + ".", action,
				" " + action);
	}

	public static InvalidRedlockConfigurationException noInstances(int connectionFactories, boolean springDataRedis) {
		String problem = "The lock has no Redis servers: there are no 'redlock.instances', and ";
		if (connectionFactories > 0) {
			return noServers(problem + "there are " + connectionFactories
					+ " RedisConnectionFactory beans, so it is not clear which one to use.", "");
		}
		return springDataRedis
				? noServers(problem + "spring.data.redis is set, but there is no RedisConnectionFactory bean.",
						" " + ADD_THE_STARTER)
				: noServers(problem + "there is no RedisConnectionFactory bean to fall back on.", "");
	}

	public static InvalidRedlockConfigurationException noEmbeddedServers() {
		return new InvalidRedlockConfigurationException("redlock.embedded.enabled",
				"the property is true, but dev.redlock:redlock-spring-boot-test is not on the class path.",
				ADD_THE_MODULE);
	}

	public static InvalidRedlockConfigurationException sameServer(String name, String other, String how) {
		return new InvalidRedlockConfigurationException("redlock.instances." + name,
				"the instance has the same server as instance '" + other + "': " + how
						+ ". A server that votes twice could make a majority alone.",
				"Set another server for instance '" + name + "', or remove the instance.");
	}

	public String description() {
		return this.description;
	}

	public String action() {
		return this.action;
	}

}
