package dev.redlock.sample.demo;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers requests of the page that cannot be done.
 */
@RestControllerAdvice(assignableTypes = DemoController.class)
class DemoErrors {

	@ExceptionHandler
	ProblemDetail wrong(IllegalArgumentException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(ex.getMessage()));
	}

	@ExceptionHandler
	ProblemDetail notNow(IllegalStateException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(ex.getMessage()));
	}

}
