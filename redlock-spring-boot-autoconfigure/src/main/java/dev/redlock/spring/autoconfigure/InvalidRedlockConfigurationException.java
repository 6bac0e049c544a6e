package dev.redlock.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * A property of the lock, or several of them together, cannot be right.
 */
final class InvalidRedlockConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * @param property the property that is wrong
	 * @param reason what is wrong with it, a sentence
	 * @param action what to write instead, a sentence
	 */
	InvalidRedlockConfigurationException(String property, String reason, String action) {
		this(property, reason, action, null);
	}

	InvalidRedlockConfigurationException(String property, String reason, String action, @Nullable Throwable cause) {
		super(description(property, reason) + " " + action, cause);
		this.description = description(property, reason);
		this.action = action;
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

	private static String description(String property, String reason) {
		return "The configuration property '" + property + "' is not usable: " + reason;
	}

}
