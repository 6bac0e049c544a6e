package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a node whose operations block.
 */
final class NodeWorker {

	private static final Logger log = LoggerFactory.getLogger(NodeWorker.class);

	private static final int LONGEST_QUEUE = 1024;

	private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

	private final ThreadPoolExecutor thread;

	NodeWorker(String node) {
		this.thread = new ThreadPoolExecutor(1, 1, IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS,
				new ArrayBlockingQueue<>(LONGEST_QUEUE), DaemonThreads.named("redlock-" + node));
		this.thread.allowCoreThreadTimeOut(true);
	}

	CompletionStage<Vote> vote(Supplier<Vote> operation) {
		CompletableFuture<Vote> vote = new CompletableFuture<>();
		try {
			this.thread.execute(() -> vote.complete(guarded(operation)));
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// No place, or no thread.
			vote.complete(
					new Faulted(Fault.UNAVAILABLE, "Too many operations wait for the server, or it was closed", false));
		}
		return vote;
	}

	/**
	 * Does something of which nobody waits for the outcome.
	 * @return completes when it was done, or was not
	 */
	CompletionStage<Void> run(Runnable work) {
		return vote(() -> {
			work.run();
			return Vote.Granted.PLAIN;
		}).thenAccept((vote) -> {
			if (vote instanceof Faulted faulted) {
				log.debug("Something was left undone: {}", faulted.detail());
			}
		});
	}

	/**
	 * Does something, unless too much waits already.
	 */
	boolean accepts(Runnable work) {
		try {
			this.thread.execute(() -> guarded(() -> {
				work.run();
				return Vote.Granted.PLAIN;
			}));
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

	boolean isShutdown() {
		return this.thread.isShutdown();
	}

	/**
	 * Takes no more, and ends when all that was given has been done.
	 */
	void shutdown() {
		this.thread.shutdown();
	}

	private static Vote guarded(Supplier<Vote> operation) {
		try {
			return operation.get();
		}
		catch (RuntimeException | Error ex) {
			return new Faulted(Fault.ERROR, LinkErrors.describe(ex), true);
		}
	}

}
