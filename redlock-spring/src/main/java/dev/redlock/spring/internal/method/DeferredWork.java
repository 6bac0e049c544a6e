package dev.redlock.spring.internal.method;

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
 * Recognizes return types, such as {@code Stream}, whose work goes on after the method
 * has returned and the lock is released.
 */
public final class DeferredWork {

	private static final String WEB = "org.springframework.web.";

	private static final List<Class<?>> REFUSED = types("java.util.concurrent.Callable", "java.lang.Runnable",
			"java.util.function.Supplier", "java.util.stream.BaseStream", "java.util.Iterator", "java.util.Spliterator",
			"kotlin.jvm.functions.Function0", "kotlin.sequences.Sequence", "kotlinx.coroutines.Job",
			WEB + "context.request.async.WebAsyncTask", WEB + "context.request.async.DeferredResult",
			WEB + "servlet.mvc.method.annotation.StreamingResponseBody",
			WEB + "servlet.mvc.method.annotation.ResponseBodyEmitter", WEB + "servlet.function.ServerResponse",
			WEB + "reactive.function.server.ServerResponse");

	/**
	 * Generic types such as {@code Optional}, whose type argument is checked like a
	 * return type.
	 */
	private static final List<Class<?>> WRAPPERS = types("java.util.Optional", "java.util.concurrent.CompletionStage",
			"reactor.core.publisher.Mono", "org.springframework.http.HttpEntity");

	private DeferredWork() {
	}

	public static Stream<Class<?>> optionalTypes() {
		return Stream.concat(REFUSED.stream(), WRAPPERS.stream())
			.filter((type) -> type != Absent.class && !type.getName().startsWith("java."));
	}

	/**
	 * Returns the type, or the type inside of a wrapper, whose work would run after the
	 * lock's release. Redlock does not wait for a future or publisher inside of a wrapper
	 * such as {@code Optional}.
	 */
	public static Optional<Class<?>> in(ResolvableType declared, boolean inWrapper) {
		Class<?> type = declared.resolve(Object.class);
		if (isFutureOrPublisher(type) ? inWrapper : isRefused(type)) {
			return Optional.of(type);
		}
		return WRAPPERS.stream()
			.filter((wrapper) -> wrapper.isAssignableFrom(type))
			.findFirst()
			.flatMap((wrapper) -> in(declared.as(wrapper).getGeneric(0), true));
	}

	public static boolean isUnfinished(Object value) {
		if (value instanceof CompletionStage<?> stage) {
			return !stage.toCompletableFuture().isDone();
		}
		if (value instanceof Future<?> future) {
			return !future.isDone();
		}
		return isRefused(value.getClass()) || isFutureOrPublisher(value.getClass());
	}

	/**
	 * Loads a type of an optional library, or returns a type without instances if the
	 * library is absent.
	 */
	public static Class<?> type(String name) {
		ClassLoader loader = DeferredWork.class.getClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : Absent.class;
	}

	private static boolean isFutureOrPublisher(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Allows a {@code Supplier} that is also an {@code Iterable}, such as a page of
	 * Spring Data, whose elements exist already.
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
