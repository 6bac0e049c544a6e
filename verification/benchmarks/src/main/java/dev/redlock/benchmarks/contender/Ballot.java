package dev.redlock.benchmarks.contender;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One command to all servers. Completes as soon as a majority is reached or out of reach.
 */
final class Ballot extends CompletableFuture<Boolean> {

	private static final long LONGEST_ROUND_MILLIS = 1_000;

	private final int quorum;

	private final int blocking;

	private final AtomicInteger grants = new AtomicInteger();

	private final AtomicInteger refusals = new AtomicInteger();

	Ballot(int voters) {
		this.quorum = voters / 2 + 1;
		this.blocking = voters - this.quorum + 1;
	}

	/**
	 * Sends the command.
	 * @param grants tells a reply that grants
	 */
	static <S, T> Ballot of(List<S> servers, Function<S, CompletionStage<T>> command, Predicate<T> grants) {
		Ballot ballot = new Ballot(servers.size());
		for (S server : servers) {
			command.apply(server).whenComplete((reply, failure) -> ballot.count(failure == null && grants.test(reply)));
		}
		return ballot;
	}

	/**
	 * Waits for the verdict.
	 * @return whether a majority granted in time
	 */
	boolean await() {
		try {
			return get(LONGEST_ROUND_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	void count(boolean granted) {
		if (granted) {
			if (this.grants.incrementAndGet() == this.quorum) {
				complete(true);
			}
		}
		else if (this.refusals.incrementAndGet() == this.blocking) {
			complete(false);
		}
	}

}
