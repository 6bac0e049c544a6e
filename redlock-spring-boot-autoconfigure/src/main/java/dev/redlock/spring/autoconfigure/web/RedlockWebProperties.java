package dev.redlock.spring.autoconfigure.web;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the answers to web clients.
 *
 * @param problemDetails Answers to requests that failed because of a lock.
 */
@ConfigurationProperties("redlock.web")
record RedlockWebProperties(@DefaultValue ProblemDetails problemDetails) {

	/**
	 * Answers to requests that failed because of a lock.
	 *
	 * @param enabled Whether a request that did not get a lock is answered with a problem
	 * detail: 409 when the lock is held, 503 when too few nodes can vote.
	 * @param retryAfter Least time after which clients should try again when too few
	 * nodes can vote.
	 */
	record ProblemDetails(@DefaultValue("false") boolean enabled, @DefaultValue("5s") Duration retryAfter) {

	}

}
