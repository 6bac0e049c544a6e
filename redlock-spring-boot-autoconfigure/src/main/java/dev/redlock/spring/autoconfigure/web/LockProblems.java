package dev.redlock.spring.autoconfigure.web;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.NodeVote;
import dev.redlock.Redlock;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.ResponseEntity.HeadersBuilder;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Sends a problem detail (RFC 9457) as the answer to a web request that failed because of
 * a lock. The problem detail never contains the name of the lock, its holder or a node.
 * An {@code @ExceptionHandler} of the application takes precedence over this advice.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class LockProblems {

	private final Duration retryAfter;

	private final @Nullable Redlock redlock;

	/**
	 * @param retryAfter the least value of the Retry-After header while too few nodes can
	 * vote on locks
	 */
	LockProblems(Duration retryAfter, @Nullable Redlock redlock) {
		this.retryAfter = retryAfter;
		this.redlock = redlock;
	}

	/**
	 * Answers with the status 409 if another owner holds the lock, and with 503 if no
	 * lock can be acquired at the moment.
	 * @param thrown the exception of the controller: the failure itself, or an exception
	 * with the failure as its cause
	 * @throws Exception the exception of the controller, if the application maps this
	 * exception to an HTTP status
	 */
	@ExceptionHandler(LockNotAcquiredException.class)
	public ResponseEntity<ProblemDetail> notAcquired(LockNotAcquiredException failure, Exception thrown)
			throws Exception {
		requireNoStatus(thrown);
		return switch (failure.reason()) {
			case HELD, TICK_TAKEN -> problem(HttpStatus.CONFLICT, "In use",
					"Another caller is working on the same data. Try again later.", failure.reason())
				.build();
			case TICKET_EXPIRED -> problem(HttpStatus.CONFLICT, "Expired",
					"The work that this request carries on has ended. Begin it anew.", failure.reason())
				.build();
			case SPLIT_VOTE, FENCE_NOT_SETTLED, NO_QUORUM, TIMED_OUT, VALIDITY_EXHAUSTED, INTERRUPTED, TICK_LOST,
					SHUTTING_DOWN ->
				problem(HttpStatus.SERVICE_UNAVAILABLE, "Unavailable",
						"The request cannot be served safely at the moment. Try again later.", failure.reason())
					.header(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfterSeconds(failure)))
					.build();
		};
	}

	/**
	 * Answers with the status 409 if the locked method ran but lost its lock, because the
	 * client may have outdated data. The status 503 would make clients repeat the request
	 * without checking their data.
	 */
	@ExceptionHandler(LockLostException.class)
	public ResponseEntity<ProblemDetail> lost(LockLostException failure, Exception thrown) throws Exception {
		requireNoStatus(thrown);
		return problem(HttpStatus.CONFLICT, "Not certain",
				"The request took too long, and another caller may have worked on the same data. Check the state of "
						+ "the data before you try again.",
				"LOST")
			.build();
	}

	/**
	 * Returns how long until a majority of the nodes can vote on locks, zero if unknown.
	 * A node in the state {@code UNFIT} is left out, because this node may never vote.
	 */
	static Duration timeToQuorum(List<NodeStatus> nodes) {
		return nodes.stream()
			.filter((status) -> status.state() != State.UNFIT)
			.map((status) -> Objects.requireNonNullElse(status.remaining(), Duration.ZERO))
			.sorted()
			.skip(nodes.size() / 2)
			.findFirst()
			.orElse(Duration.ZERO);
	}

	private static void requireNoStatus(Exception thrown) throws Exception {
		if (thrown instanceof ErrorResponse
				|| AnnotatedElementUtils.hasAnnotation(thrown.getClass(), ResponseStatus.class)) {
			throw thrown;
		}
	}

	private long retryAfterSeconds(LockNotAcquiredException failure) {
		Duration known = (this.redlock != null) ? timeToQuorum(askedNodes(this.redlock, failure)) : Duration.ZERO;
		Duration longer = (known.compareTo(this.retryAfter) > 0) ? known : this.retryAfter;
		return Math.max(1, longer.plusMillis(999).toSeconds());
	}

	private static List<NodeStatus> askedNodes(Redlock redlock, LockNotAcquiredException failure) {
		Set<String> asked = failure.votes().stream().map(NodeVote::node).collect(Collectors.toSet());
		return redlock.nodes()
			.stream()
			.filter((node) -> asked.isEmpty() || asked.contains(node.name()))
			.map(LockNode::status)
			.toList();
	}

	private static HeadersBuilder<?> problem(HttpStatus status, String title, String detail, Object reason) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setTitle(title);
		problem.setProperty("reason", reason.toString());
		return ResponseEntity.of(problem);
	}

}
