package dev.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Results of stages in time that stands still. Only the test itself can complete such a
 * stage, so waiting for one that is not complete would take for ever.
 */
public final class Completed {

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private Completed() {
	}

	/**
	 * Returns the result of a stage, and fails if the stage is not complete.
	 */
	public static <T> T completed(CompletionStage<T> stage) {
		CompletableFuture<T> future = stage.toCompletableFuture();
		if (!future.isDone()) {
			fail("The stage is not complete. Nothing can complete it now, because time stands still and no event is left");
		}
		return future.join();
	}

	/**
	 * Waits for the end of a thread that the test has started.
	 */
	public static void ended(Thread thread) throws InterruptedException {
		thread.join(LONGEST.toMillis());
		assertThat(thread.isAlive()).as("whether %s still runs after %s", thread.getName(), LONGEST).isFalse();
	}

}
