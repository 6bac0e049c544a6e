package dev.redlock.spring.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at start for an annotation of the lock, such as {@code @RedLock}, with a
 * mistake.
 */
public final class InvalidRedLockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates the exception.
	 * @param method the annotated method
	 * @param attribute the wrong attribute, or "place", "return type" or "attributes"
	 * @param problem a sentence that says what is wrong
	 * @param action a sentence that says what to write instead
	 */
	public InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action) {
		this(method, attribute, problem, action, null);
	}

	/**
	 * Creates the exception.
	 * @param method the annotated method
	 * @param attribute the wrong attribute
	 * @param problem a sentence that says what is wrong
	 * @param action a sentence that says what to write instead
	 * @param cause the cause, if any
	 */
	public InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action,
			@Nullable Throwable cause) {
		super(method.annotationName() + " on " + method + ", " + attribute + ": " + problem + " " + action, cause);
		this.description = "The " + method.annotationName() + " on " + method + " is wrong in its " + attribute + ": "
				+ problem;
		this.action = action;
	}

	/**
	 * Creates the exception for an annotation that is not on a method.
	 * @param description a sentence that says what is wrong, and where
	 * @param action a sentence that says what to write instead
	 */
	public InvalidRedLockException(String description, String action) {
		super(description + " " + action);
		this.description = description;
		this.action = action;
	}

	InvalidRedLockException(AnnotatedMethod method, IllegalArgumentException cause) {
		// Messages of the core may lack the full stop.
		this(method, "attributes", String.valueOf(cause.getMessage()).replaceFirst("[^.]$", "$0."),
				"Change the annotation or the redlock.* properties.", cause);
	}

	/**
	 * Returns what is wrong with the annotation, and where.
	 * @return one or two sentences
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns what to write instead of the mistake.
	 * @return one or two sentences
	 */
	public String action() {
		return this.action;
	}

}
