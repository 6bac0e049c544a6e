package dev.redlock.test.assertj;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import dev.redlock.Inspection;
import dev.redlock.Inspection.Verdict;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.Vote.Refused;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on the state of a lock on its Redis servers.
 */
public final class LockAssert extends AbstractAssert<LockAssert, Redlock> {

	private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

	private final String resource;

	LockAssert(Redlock redlock, String resource) {
		super(redlock, LockAssert.class);
		this.resource = resource;
	}

	/**
	 * Asserts that the lock is held on a majority of the servers.
	 */
	public LockAssert isHeld() {
		says(Verdict.HELD);
		return this;
	}

	/**
	 * Asserts that no owner holds the lock on a majority of the servers.
	 */
	public LockAssert isFree() {
		says(Verdict.FREE);
		return this;
	}

	/**
	 * Asserts that an owner with the given label ({@code redlock.owner}) holds the lock
	 * on a majority of the servers.
	 */
	public LockAssert isHeldBy(String owner) {
		Inspection inspection = says(Verdict.HELD);
		if (!inspection.holder().filter(owner::equals).isPresent()) {
			throw failure("Expected the lock on %s to be held by%n  %s%nbut it is held by%n  %s%n%s", this.resource,
					owner, inspection.holder().orElse("an owner without a label"), votes(inspection));
		}
		return this;
	}

	/**
	 * Asserts that the lock is held on exactly the given number of servers.
	 */
	public LockAssert isHeldOnNodes(int count) {
		Inspection inspection = inspect();
		long held = inspection.nodes().stream().filter((node) -> node.vote() instanceof Refused).count();
		if (held != count) {
			throw failure("Expected the lock on %s to be held on %d nodes but it is held on %d:%n%s", this.resource,
					count, held, votes(inspection));
		}
		return this;
	}

	/**
	 * Asserts that the lock is held on a majority of the servers, and expires within the
	 * given time unless the lock is extended.
	 */
	public LockAssert isHeldForAtMost(Duration most) {
		Inspection inspection = says(Verdict.HELD);
		Duration remaining = inspection.remaining().orElse(Duration.ZERO);
		if (remaining.compareTo(most) > 0) {
			throw failure("Expected the lock on %s to be held for at most %s but %s of its ttl are left:%n%s",
					this.resource, most, remaining, votes(inspection));
		}
		return this;
	}

	private Inspection says(Verdict expected) {
		Inspection inspection = inspect();
		if (inspection.verdict() != expected) {
			throw failure("Expected the lock on %s to be %s but the majority says %s:%n%s", this.resource, expected,
					inspection.verdict(), votes(inspection));
		}
		return inspection;
	}

	private Inspection inspect() {
		isNotNull();
		List<Inspection> permits = inTime(this.actual.inspectPermits(LockRequest.of(this.resource)));
		if (!permits.isEmpty()) {
			throw failure("The resource %s has permits, each of which is a lock of its own. Assert the lock of one "
					+ "permit, such as %s", this.resource, permits.get(0).resource());
		}
		return inTime(this.actual.inspect(this.resource));
	}

	private <T> T inTime(CompletionStage<T> answers) {
		try {
			return answers.toCompletableFuture().get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw failure("The nodes did not answer within %s about the lock on %s. If the test uses manual time and "
					+ "a node answers late, let the time advance.", ANSWER_TIMEOUT, this.resource);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure("The thread was interrupted while it asked the nodes about the lock on %s", this.resource);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The nodes could not be asked about the lock on " + this.resource, ex);
		}
	}

	private static String votes(Inspection inspection) {
		return inspection.nodes().stream().map((node) -> "  " + node).collect(Collectors.joining("\n"));
	}

}
