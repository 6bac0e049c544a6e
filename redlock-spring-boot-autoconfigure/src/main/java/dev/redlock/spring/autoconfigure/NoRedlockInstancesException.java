package dev.redlock.spring.autoconfigure;

/**
 * No property says which Redis servers are to vote.
 */
final class NoRedlockInstancesException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	NoRedlockInstancesException(int connectionFactories) {
		this("The lock has no Redis servers: there are no 'redlock.instances', and there " + ((connectionFactories == 0)
				? "is no RedisConnectionFactory bean to fall back on." : "are " + connectionFactories
						+ " RedisConnectionFactory beans, of which none is named as an instance."));
	}

	private NoRedlockInstancesException(String description) {
		super(description + " Set redlock.instances.<name>.host for an odd number of independent masters,"
				+ " or set redlock.enabled to false to run without locks.");
		this.description = description;
	}

	String description() {
		return this.description;
	}

}
