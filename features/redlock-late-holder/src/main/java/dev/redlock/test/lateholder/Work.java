package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/**
 * A call that runs on its own thread. A call that returns a stage or a publisher ends
 * when the stage or publisher completes.
 */
final class Work {

	private static final TaskDecorator CONTEXT = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			Work.class.getClassLoader()) ? new ContextPropagatingTaskDecorator() : (task) -> task;

	private final CompletableFuture<Object> end = new CompletableFuture<>();

	private final Mark mark;

	private final Thread thread;

	private Work(Mark mark, Callable<?> work) {
		this.mark = mark;
		this.thread = new Thread(CONTEXT.decorate(() -> run(work)), mark.rival() ? "rival" : "call");
		this.thread.setDaemon(true);
	}

	/**
	 * Starts a call whose thread, tasks and flows have the mark.
	 */
	static Work start(Mark mark, Callable<?> work) {
		Work started = new Work(mark, work);
		started.thread.start();
		return started;
	}

	/**
	 * @return whether this call or {@code other} ends within {@code bound}
	 */
	boolean endsWithin(Duration bound, CompletableFuture<?> other) {
		try {
			CompletableFuture.anyOf(this.end, other).get(bound.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (ExecutionException ex) {
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The thread of the test was interrupted", ex);
		}
	}

	/**
	 * @return the exception of the call; null if the call succeeded
	 * @throws IllegalStateException with the stack of the thread, if the call has not
	 * ended within the time {@code bound}
	 */
	@Nullable Throwable await(Duration bound) {
		if (!endsWithin(bound, this.end)) {
			IllegalStateException late = new IllegalStateException("The " + this.thread.getName()
					+ " has not ended within " + bound.toMillis() + " ms. The stack trace of the cause shows what the "
					+ this.thread.getName() + " waits for. To allow more time, call within(…).");
			Exception stack = new Exception("The stack of the " + this.thread.getName());
			stack.setStackTrace(this.thread.getStackTrace());
			this.thread.interrupt();
			late.initCause(stack);
			throw late;
		}
		Throwable failure = this.end.handle((none, thrown) -> thrown).join();
		while ((failure instanceof CompletionException || failure instanceof ExecutionException)
				&& failure.getCause() != null) {
			failure = failure.getCause();
		}
		return failure;
	}

	private void run(Callable<?> work) {
		try {
			this.mark.call(() -> result(work.call())).whenComplete((value, failure) -> {
				if (failure != null) {
					this.end.completeExceptionally(failure);
				}
				else {
					this.end.complete(this);
				}
			});
		}
		catch (Throwable ex) {
			this.end.completeExceptionally(ex);
		}
	}

	private CompletionStage<?> result(@Nullable Object value) {
		if (value instanceof CompletionStage<?> stage) {
			return stage;
		}
		ReactiveAdapter adapter = (value != null)
				? ReactiveAdapterRegistry.getSharedInstance().getAdapter(value.getClass()) : null;
		return (adapter != null) ? Publishers.end(adapter, value) : CompletableFuture.completedFuture(value);
	}

	/**
	 * Reactor is optional, so its types are used only in this nested class.
	 */
	private static final class Publishers {

		private static CompletionStage<?> end(ReactiveAdapter adapter, @Nullable Object publisher) {
			return Flux.from(adapter.toPublisher(publisher)).then().toFuture();
		}

	}

}
