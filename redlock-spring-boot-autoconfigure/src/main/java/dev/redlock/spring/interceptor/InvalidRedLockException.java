package dev.redlock.spring.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * A {@code @RedLock} cannot mean what it says.
 */
final class InvalidRedLockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * @param method the annotated method
	 * @param attribute the attribute that is wrong, or what else is
	 * @param problem what is wrong with it, a sentence
	 * @param action what to write instead, a sentence
	 */
	InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action) {
		this(method, attribute, problem, action, null);
	}

	InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action,
			@Nullable Throwable cause) {
		super("@RedLock on " + method + ", " + attribute + ": " + problem + " " + action, cause);
		this.description = "The @RedLock on " + method + " is wrong in its " + attribute + ": " + problem;
		this.action = action;
	}

	String description() {
		return this.description;
	}

	String action() {
		return this.action;
	}

}
