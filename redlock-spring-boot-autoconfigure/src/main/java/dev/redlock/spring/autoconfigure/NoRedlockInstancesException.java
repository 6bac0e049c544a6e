package dev.redlock.spring.autoconfigure;

/**
 * Nobody said which Redis servers are to vote.
 */
final class NoRedlockInstancesException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int connectionFactories;

	NoRedlockInstancesException(int connectionFactories) {
		super("There are no redlock.instances, and " + connectionFactories + " RedisConnectionFactory beans");
		this.connectionFactories = connectionFactories;
	}

	int connectionFactories() {
		return this.connectionFactories;
	}

}
