package dev.redlock.spring.autoconfigure;

/**
 * A property of the lock, or several of them together, cannot be right.
 */
final class InvalidRedlockConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String property;

	private final String action;

	InvalidRedlockConfigurationException(String property, String reason, String action) {
		this(property, reason, action, null);
	}

	InvalidRedlockConfigurationException(String property, String reason, String action,
			@org.jspecify.annotations.Nullable Throwable cause) {
		super(reason, cause);
		this.property = property;
		this.action = action;
	}

	String property() {
		return this.property;
	}

	String action() {
		return this.action;
	}

}
