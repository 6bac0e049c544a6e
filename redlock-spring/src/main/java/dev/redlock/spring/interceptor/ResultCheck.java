package dev.redlock.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;

/**
 * Warns once if a locked method returns a value whose work goes on without the lock. At
 * start this does not show if the declared type is {@code Object} or
 * {@code ResponseEntity<?>}.
 */
final class ResultCheck {

	private static final Logger logger = LoggerFactory.getLogger(ResultCheck.class);

	private static final Class<?> ENTITY = DeferredWork.type("org.springframework.http.HttpEntity");

	private final AnnotatedMethod method;

	private final boolean hides;

	private volatile boolean warned;

	ResultCheck(AnnotatedMethod method) {
		this.method = method;
		ResolvableType declared = method.declaredReturnType();
		ResolvableType content = ENTITY.isAssignableFrom(method.returnType()) ? declared.as(ENTITY).getGeneric(0)
				: declared;
		this.hides = content.resolve(Object.class) == Object.class;
	}

	void check(@Nullable Object result) {
		if (!this.hides || this.warned) {
			return;
		}
		Object content = ENTITY.isInstance(result) ? Entity.body(result) : result;
		if (content != null && DeferredWork.isUnfinished(content)) {
			this.warned = true;
			logger.warn(
					"{} on {} returned a {}, whose work goes on after the lock is released. Declare that type, or"
							+ " return a value that is ready.",
					this.method.annotationName(), this.method, content.getClass().getName());
		}
	}

	/**
	 * The only class that uses Spring Web.
	 */
	private static final class Entity {

		static @Nullable Object body(@Nullable Object entity) {
			return (entity instanceof HttpEntity<?> response) ? response.getBody() : null;
		}

	}

}
