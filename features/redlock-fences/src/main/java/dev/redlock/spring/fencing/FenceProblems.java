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
 * Answers requests whose write was refused with a problem detail (RFC 9457): a later
 * holder has worked on the same resource, so the client must check its state before it
 * repeats the work. The answer does not name the resource.
 * <p>
 * This advice has the lowest precedence, so {@code @ExceptionHandler}s of the application
 * win.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class FenceProblems {

	/**
	 * Answers the refusal of a write, which may be the cause of another exception.
	 * @throws Exception the other exception, if the application has given it a status
	 */
	@ExceptionHandler(StaleFenceException.class)
	ProblemDetail stale(Exception thrown) throws Exception {
		if (thrown instanceof ErrorResponse
				|| AnnotatedElementUtils.hasAnnotation(thrown.getClass(), ResponseStatus.class)) {
			throw thrown;
		}
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"Another caller got the lock later and has worked on the same data. Check the state of the data "
						+ "before you try again.");
		problem.setTitle("Too late");
		problem.setProperty("reason", "STALE_FENCE");
		return problem;
	}

}
