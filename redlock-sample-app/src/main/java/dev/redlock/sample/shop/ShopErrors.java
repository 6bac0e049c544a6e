package dev.redlock.sample.shop;

import dev.redlock.LockNotAcquiredException;
import jakarta.persistence.OptimisticLockException;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers a purchase that failed: sold out, unknown article, or no lock.
 */
@RestControllerAdvice
class ShopErrors {

	@ExceptionHandler
	ProblemDetail soldOut(SoldOutException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, String.valueOf(ex.getMessage()));
	}

	@ExceptionHandler
	ProblemDetail unknownArticle(UnknownArticleException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, String.valueOf(ex.getMessage()));
	}

	/**
	 * The buyer may try again, because nothing was sold. The answer has only the reason,
	 * because the message of the exception names nodes and addresses.
	 */
	@ExceptionHandler
	ProblemDetail notLocked(LockNotAcquiredException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The shop is too busy to sell safely. Nothing was sold, try again.");
		problem.setProperty("reason", ex.reason());
		return problem;
	}

	/**
	 * The purchase paused for so long that others have the lock or have bought since.
	 */
	@ExceptionHandler
	ProblemDetail tooLate(OptimisticLockException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The purchase took too long. Nothing was sold, try again.");
	}

}
