package dev.redlock.spring.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if a {@code @RedLock}, or an annotation that carries
 * {@code @RedLock}, has a mistake.
 */
public final class InvalidRedLockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Creates an exception for the annotation of a method.
	 * @param method the annotated method
	 * @param attribute the wrong part: the name of an attribute, "place", "return type"
	 * or "attributes"
	 * @param problem a sentence that says what is wrong with the annotation
	 * @param action a sentence that says how to correct the annotation
	 */
	public InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action) {
		this(method, attribute, problem, action, null);
	}

	/**
	 * Creates an exception with a cause, for the annotation of a method.
	 * @param cause the exception that revealed the mistake; null for none
	 */
	public InvalidRedLockException(AnnotatedMethod method, String attribute, String problem, String action,
			@Nullable Throwable cause) {
		super(method.annotationName() + " on " + method + ", " + attribute + ": " + problem + " " + action, cause);
		this.description = "The " + method.annotationName() + " on " + method + " is wrong in its " + attribute + ": "
				+ problem;
		this.action = action;
	}

	/**
	 * Creates an exception for a mistake that does not concern a single method.
	 * @param description a sentence that says which annotation is wrong, and where
	 * @param action a sentence that says how to correct the annotation
	 */
	public InvalidRedLockException(String description, String action) {
		super(description + " " + action);
		this.description = description;
		this.action = action;
	}

	public InvalidRedLockException(AnnotatedMethod method, IllegalArgumentException cause) {
		this(method, "attributes", String.valueOf(cause.getMessage()).replaceFirst("[^.]$", "$0."),
				"Change the annotation or the redlock.* properties.", cause);
	}

	/**
	 * Returns what is wrong with the annotation, and on which method.
	 */
	public String description() {
		return this.description;
	}

	/**
	 * Returns how to correct the annotation.
	 */
	public String action() {
		return this.action;
	}

}
