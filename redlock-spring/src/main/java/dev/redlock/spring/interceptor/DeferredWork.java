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
 * The types of results whose work runs after the method has returned, when the lock is
 * already released. This class loads without the libraries that have these types.
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
	 * Types that wrap a result. The type argument of a wrapper is the type of the result.
	 */
	private static final List<Class<?>> WRAPPERS = types("java.util.Optional", "java.util.concurrent.CompletionStage",
			"reactor.core.publisher.Mono", "org.springframework.http.HttpEntity");

	private DeferredWork() {
	}

	/**
	 * Returns the types of optional libraries that are present. The types are looked up
	 * by their names.
	 */
	static Stream<Class<?>> optionalTypes() {
		return Stream.concat(REFUSED.stream(), WRAPPERS.stream())
			.filter((type) -> type != Absent.class && !type.getName().startsWith("java."));
	}

	/**
	 * Finds the part of a return type whose work runs too late.
	 * @param declared the return type
	 * @param inWrapper whether the value is inside another value, where the lock is not
	 * held until a future or a publisher has ended
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
	 * Whether the work of a value goes on after the method has returned it.
	 */
	static boolean isUnfinished(Object value) {
		if (value instanceof CompletionStage<?> stage) {
			// A CompletionStage may not support the methods of a future.
			return !stage.toCompletableFuture().isDone();
		}
		if (value instanceof Future<?> future) {
			return !future.isDone();
		}
		return isRefused(value.getClass()) || isHeldElsewhere(value.getClass());
	}

	/**
	 * Returns a type of a library, or a type without instances if the library is absent.
	 */
	static Class<?> type(String name) {
		ClassLoader loader = DeferredWork.class.getClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : Absent.class;
	}

	/**
	 * Whether the type is a future or a publisher. The invokers for these types hold the
	 * lock until the future or publisher has ended.
	 */
	private static boolean isHeldElsewhere(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * An {@code Iterable} that is also a supplier, such as a page of Spring Data, has its
	 * elements already.
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
