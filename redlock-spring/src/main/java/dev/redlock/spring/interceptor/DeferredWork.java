package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Recognizes return types, such as {@code Stream} or {@code Callable}, whose values do
 * their work after the method has returned. Without this check, such work would run after
 * the release of the lock. This class can be loaded when the libraries with these types
 * are absent.
 */
final class DeferredWork {

	private static final String WEB = "org.springframework.web.";

	private static final List<Class<?>> REFUSED = types("java.util.concurrent.Callable", "java.lang.Runnable",
			"java.util.function.Supplier", "java.util.stream.BaseStream", "java.util.Iterator", "java.util.Spliterator",
			"kotlin.jvm.functions.Function0", "kotlin.sequences.Sequence", "kotlinx.coroutines.Job",
			WEB + "context.request.async.WebAsyncTask", WEB + "context.request.async.DeferredResult",
			WEB + "servlet.mvc.method.annotation.StreamingResponseBody",
			WEB + "servlet.mvc.method.annotation.ResponseBodyEmitter", WEB + "servlet.function.ServerResponse",
			WEB + "reactive.function.server.ServerResponse");

	/**
	 * Generic types that wrap the result of a method, such as {@code Optional}. The type
	 * argument of a wrapper is checked like a return type.
	 */
	private static final List<Class<?>> WRAPPERS = types("java.util.Optional", "java.util.concurrent.CompletionStage",
			"reactor.core.publisher.Mono", "org.springframework.http.HttpEntity");

	private DeferredWork() {
	}

	/**
	 * Returns the types that this class knows from optional libraries, if the libraries
	 * are present.
	 */
	static Stream<Class<?>> optionalTypes() {
		return Stream.concat(REFUSED.stream(), WRAPPERS.stream())
			.filter((type) -> type != Absent.class && !type.getName().startsWith("java."));
	}

	/**
	 * Finds the return type itself, or the type inside its wrappers, whose work would run
	 * after the lock is released.
	 * @param declared the return type, or the type inside of a wrapper
	 * @param inWrapper whether the type is inside of a wrapper. The lock is not held
	 * until a future or a publisher inside of a wrapper has ended.
	 */
	static Optional<Class<?>> in(ResolvableType declared, boolean inWrapper) {
		Class<?> type = declared.resolve(Object.class);
		if (isHeldElsewhere(type) ? inWrapper : isRefused(type)) {
			return Optional.of(type);
		}
		return WRAPPERS.stream()
			.filter((wrapper) -> wrapper.isAssignableFrom(type))
			.findFirst()
			.flatMap((wrapper) -> in(declared.as(wrapper).getGeneric(0), true));
	}

	/**
	 * Whether a value that a locked method has returned still has work to do.
	 */
	static boolean isUnfinished(Object value) {
		if (value instanceof CompletionStage<?> stage) {
			// A CompletionStage has no isDone() method, so it is converted to a future.
			return !stage.toCompletableFuture().isDone();
		}
		if (value instanceof Future<?> future) {
			return !future.isDone();
		}
		return isRefused(value.getClass()) || isHeldElsewhere(value.getClass());
	}

	/**
	 * Returns a type of an optional library. If the library is absent, returns a type
	 * that has no instances.
	 */
	static Class<?> type(String name) {
		ClassLoader loader = DeferredWork.class.getClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : Absent.class;
	}

	/**
	 * Whether a type is a future or a publisher. The {@link LockInvoker} classes for
	 * these types hold the lock until the future or publisher has ended.
	 */
	private static boolean isHeldElsewhere(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Whether values of a type do their work after the method has returned. An
	 * {@code Iterable} that is also a {@code Supplier}, such as a page of Spring Data,
	 * has its elements already and is allowed.
	 */
	private static boolean isRefused(Class<?> type) {
		return REFUSED.stream()
			.anyMatch((each) -> each.isAssignableFrom(type)
					&& !(each == Supplier.class && Iterable.class.isAssignableFrom(type)));
	}

	private static List<Class<?>> types(String... names) {
		return Stream.of(names).<Class<?>>map(DeferredWork::type).toList();
	}

	private static final class Absent {

	}

}
