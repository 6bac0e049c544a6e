package dev.redlock.spring.fencing;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers a request that failed with a {@link StaleFenceException} with a problem detail
 * (RFC 9457), which does not disclose the name of the resource. An
 * {@code @ExceptionHandler} of the application takes precedence over this advice.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class FenceProblems {

	/**
	 * @throws Exception the exception of the controller, if the application itself maps
	 * this exception to a status
	 */
	@ExceptionHandler(StaleFenceException.class)
	ProblemDetail stale(Exception thrown) throws Exception {
		if (thrown instanceof ErrorResponse
				|| AnnotatedElementUtils.hasAnnotation(thrown.getClass(), ResponseStatus.class)) {
			throw thrown;
		}
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"A later caller has worked on the same data. Check the state of the data before you try again.");
		problem.setTitle("Too late");
		problem.setProperty("reason", "STALE_FENCE");
		return problem;
	}

}
