package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * A property of the lock is wrong, or several of them do not fit together.
 */
final class InvalidRedlockConfigurationException extends RuntimeException {

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
			the application then starts its own embedded nodes. They exclude no other process, \
			so never do that in production. Tests with an application context and Spring Boot's \
			developer tools start them without the property. \
			To run without locks, set redlock.enabled to false.""";

	private static final String ADD_THE_MODULE = """
			Start the application by spring-boot:run, bootRun or the IDE: an optional or \
			developmentOnly dependency is left out of a packaged application. If it is not in \
			the build yet, add dev.redlock:redlock-spring-boot-test. \
			In production, name the Redis servers in redlock.instances.""";

	private static final String ADD_THE_STARTER = "To use the server of spring.data.redis, add"
			+ " org.springframework.boot:spring-boot-starter-data-redis, which creates that bean.";

	private final String description;

	private final String action;

	/**
	 * @param property the property that is wrong
	 * @param reason the reason why it is wrong, a sentence
	 * @param action the advice what to write instead, a sentence
	 */
	InvalidRedlockConfigurationException(String property, String reason, String action) {
		this(property, reason, action, null);
	}

	InvalidRedlockConfigurationException(String property, String reason, String action, @Nullable Throwable cause) {
		super("The configuration property '" + property + "' is not usable: " + reason + " " + action, cause);
		this.description = "The configuration property '" + property + "' is not usable: " + reason;
		this.action = action;
	}

	private InvalidRedlockConfigurationException(String description, String hint) {
		super(description + hint + " Set redlock.instances.<name>.host for an odd number of independent masters,"
				+ " or set redlock.enabled to false to run without locks.");
		this.description = description;
		this.action = (hint + "\n\n" + NAME_THE_SERVERS).strip();
	}

	/**
	 * No property names a Redis server.
	 * @param connectionFactories the number of RedisConnectionFactory beans
	 * @param springDataRedis whether there are properties for such a bean
	 */
	static InvalidRedlockConfigurationException noInstances(int connectionFactories, boolean springDataRedis) {
		String problem = "The lock has no Redis servers: there are no 'redlock.instances', and ";
		if (connectionFactories > 0) {
			return new InvalidRedlockConfigurationException(problem + "there are " + connectionFactories
					+ " RedisConnectionFactory beans, of which none is named as an instance.", "");
		}
		return springDataRedis
				? new InvalidRedlockConfigurationException(
						problem + "spring.data.redis is set, but there is no RedisConnectionFactory bean.",
						" " + ADD_THE_STARTER)
				: new InvalidRedlockConfigurationException(
						problem + "there is no RedisConnectionFactory bean to fall back on.", "");
	}

	/**
	 * Embedded servers are asked for, and the module that starts them is missing.
	 */
	static InvalidRedlockConfigurationException noEmbeddedServers() {
		return new InvalidRedlockConfigurationException("redlock.embedded.enabled",
				"it is true, but dev.redlock:redlock-spring-boot-test is not on the class path.", ADD_THE_MODULE);
	}

	/**
	 * A test asks for locks without Redis, and the module that has them is missing.
	 */
	static InvalidRedlockConfigurationException noTestModule() {
		return new InvalidRedlockConfigurationException("redlock.test.mode",
				"it is set, but dev.redlock:redlock-spring-boot-test is not on the class path.",
				"Add dev.redlock:redlock-spring-boot-test with scope test, or remove the property.");
	}

	/**
	 * Two instances lead to one server.
	 */
	static InvalidRedlockConfigurationException sameServer(String name, String other, String how) {
		return new InvalidRedlockConfigurationException("redlock.instances." + name,
				"it is the same server as instance '" + other + "': " + how
						+ ". One server that votes twice makes a majority of its own.",
				"Point '" + name + "' at a server of its own, or remove it.");
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

}
