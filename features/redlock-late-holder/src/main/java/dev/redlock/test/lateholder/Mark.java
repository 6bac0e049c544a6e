package dev.redlock.test.lateholder;

import java.util.concurrent.Callable;

import io.micrometer.context.ContextRegistry;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import org.springframework.util.ClassUtils;

/**
 * Marks work as a part of the call under test, or of the rival call. New threads, tasks
 * of executor beans and reactive flows inherit the mark, and so do threads to which the
 * application passes its context.
 *
 * @param rival whether the work belongs to the rival call
 * @param certain false for a new thread, which may belong to a pool and later do other
 * work
 */
record Mark(Run run, boolean rival, boolean certain) {

	/**
	 * The key of the mark in the Reactor context and in Micrometer's context registry.
	 */
	static final String KEY = Mark.class.getName();

	private static final ThreadLocal<@Nullable Mark> CURRENT = new InheritableThreadLocal<>() {

		@Override
		protected @Nullable Mark childValue(@Nullable Mark mark) {
			return (mark != null) ? new Mark(mark.run, mark.rival, false) : null;
		}

	};

	static {
		if (isPresent("io.micrometer.context.ContextRegistry")) {
			Registry.register();
		}
		if (isPresent("reactor.core.publisher.Hooks")) {
			Flows.register();
		}
	}

	static @Nullable Mark current() {
		return CURRENT.get();
	}

	static Runnable carry(Runnable task) {
		Mark mark = CURRENT.get();
		return () -> call(mark, () -> {
			task.run();
			return null;
		});
	}

	static <T extends @Nullable Object> Callable<T> carry(Callable<T> task) {
		Mark mark = CURRENT.get();
		return () -> call(mark, task);
	}

	/**
	 * Calls a task with this mark on the current thread.
	 */
	<T extends @Nullable Object> T call(Callable<T> task) {
		return call(this, task);
	}

	private static <T extends @Nullable Object> T call(@Nullable Mark mark, Callable<T> task) {
		Mark before = CURRENT.get();
		CURRENT.set(mark);
		try {
			return task.call();
		}
		catch (Exception ex) {
			throw Mark.<RuntimeException>unchecked(ex);
		}
		finally {
			CURRENT.set(before);
		}
	}

	/**
	 * Returns the exception unchanged, whether it is checked or not.
	 */
	@SuppressWarnings("unchecked")
	private static <E extends Exception> E unchecked(Exception ex) throws E {
		throw (E) ex;
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, Mark.class.getClassLoader());
	}

	/**
	 * Micrometer's context propagation is optional, so its types are used only in this
	 * nested class.
	 */
	private static final class Registry {

		private static void register() {
			ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, CURRENT);
		}

	}

	/**
	 * Reactor is optional, so its types are used only in this nested class.
	 */
	private static final class Flows {

		private static void register() {
			Hooks.onLastOperator(KEY, Flows::marked);
			Schedulers.onScheduleHook(KEY, Mark::carry);
		}

		/**
		 * Passes the mark of the subscribing thread on to a flow that has no mark.
		 */
		private static Publisher<Object> marked(Publisher<Object> flow) {
			Mark mark = CURRENT.get();
			if (mark == null) {
				return flow;
			}
			return (flow instanceof Mono<Object> mono) ? mono.contextWrite((context) -> marked(context, mark))
					: Flux.from(flow).contextWrite((context) -> marked(context, mark));
		}

		private static Context marked(Context context, Mark mark) {
			return context.hasKey(KEY) ? context : context.put(KEY, mark);
		}

	}

}
