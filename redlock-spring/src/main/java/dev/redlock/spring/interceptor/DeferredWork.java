package dev.redlock.spring.interceptor;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * A type of result whose work runs after the method has returned, so that it would run
 * after the lock is released. Loads without Reactor and without Spring MVC.
 *
 * @param type the type
 * @param instead a sentence that says what to return instead
 */
record DeferredWork(Class<?> type, String instead) {

	private static final String INSIDE = "Return the value itself, or use RedLockTemplate inside of the work that is"
			+ " returned.";

	private static final String COLLECTED = "Return a List, or use RedLockTemplate around the code that reads it to its"
			+ " end.";

	private static final String AS_FUTURE = "Return a CompletableFuture that completes when the work is done.";

	private static final String AS_FLUX = "Return a Flux, or use RedLockTemplate around the code that sends.";

	static final String COLLECTED_BODY = "Return Mono<ResponseEntity<List<…>>> or the publisher itself, or wait"
			+ " for the result inside of the method.";

	private static final String AS_DEFERRED = "Return a Deferred, or make the function suspending.";

	private static final String IN_CONTROLLER = " A @Controller method that declares this type, unwrapped, holds the lock until the"
			+ " work has ended.";

	private static final String WEB = "org.springframework.web.";

	private static final String MVC = WEB + "servlet.mvc.method.annotation.";

	private static final String FUNCTION = WEB + "servlet.function.";

	private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";

	/**
	 * Streams tell when they are closed.
	 */
	private static final Set<Class<?>> STREAMS = Set.of(BaseStream.class, Stream.class, IntStream.class,
			LongStream.class, DoubleStream.class);

	/**
	 * Spring MVC tells when it has done the work of these.
	 */
	private static final List<DeferredWork> OF_CONTROLLERS = List.of(
			new DeferredWork(Callable.class, INSIDE + IN_CONTROLLER),
			new DeferredWork(type(WEB + "context.request.async.WebAsyncTask"), INSIDE + IN_CONTROLLER),
			new DeferredWork(type(WEB + "context.request.async.DeferredResult"), AS_FUTURE + IN_CONTROLLER),
			new DeferredWork(type(MVC + "StreamingResponseBody"), INSIDE + IN_CONTROLLER),
			new DeferredWork(type(MVC + "ResponseBodyEmitter"), AS_FLUX + IN_CONTROLLER));

	private static final List<DeferredWork> REFUSED = Stream.concat(OF_CONTROLLERS.stream(),
			Stream.of(new DeferredWork(Runnable.class, INSIDE), new DeferredWork(Supplier.class, INSIDE),
					new DeferredWork(type("kotlin.jvm.functions.Function0"), INSIDE),
					new DeferredWork(BaseStream.class, COLLECTED),
					new DeferredWork(type("kotlin.sequences.Sequence"), COLLECTED),
					new DeferredWork(Iterator.class, COLLECTED), new DeferredWork(Spliterator.class, COLLECTED),
					new DeferredWork(type("kotlinx.coroutines.Job"), AS_DEFERRED),
					new DeferredWork(type(FUNCTION + "AsyncServerResponse"), INSIDE),
					new DeferredWork(type(FUNCTION + "SseServerResponse"), INSIDE),
					new DeferredWork(type(FUNCTION + "StreamingServerResponse"), INSIDE)))
		.toList();

	/**
	 * These have an invoker of their own, except inside of a wrapper.
	 */
	private static final List<DeferredWork> REFUSED_IN_WRAPPER = List.of(new DeferredWork(Future.class, AS_FUTURE),
			new DeferredWork(CompletionStage.class, AS_FUTURE), new DeferredWork(Flow.Publisher.class, COLLECTED_BODY),
			new DeferredWork(type("org.reactivestreams.Publisher"), COLLECTED_BODY));

	/**
	 * The responses of Spring Web, and their methods that return the body. A method is
	 * looked up when there is a response, because without Reactor that fails.
	 */
	static final Map<String, String> BODIES = Map.of(HTTP_ENTITY, "getBody", FUNCTION + "EntityResponse", "entity",
			WEB + "reactive.function.server.EntityResponse", "entity");

	static final List<Class<?>> RESPONSES = BODIES.keySet().stream().<Class<?>>map(DeferredWork::type).toList();

	/**
	 * The type argument of these is the type of the result.
	 */
	private static final List<Class<?>> WRAPPERS = Stream
		.concat(Stream.of(Optional.class, CompletionStage.class, type("reactor.core.publisher.Mono")),
				RESPONSES.stream())
		.toList();

	/**
	 * Returns the types of optional libraries that this looks up by their names, and that
	 * are there.
	 */
	static Stream<Class<?>> optionalTypes() {
		return Stream
			.concat(Stream.concat(REFUSED.stream(), REFUSED_IN_WRAPPER.stream()).map(DeferredWork::type),
					WRAPPERS.stream())
			.filter((type) -> type != Absent.class && !type.getName().startsWith("java."));
	}

	/**
	 * Whether the return type is a stream, which the lock can be held for.
	 * @param declared the return type
	 */
	static boolean isStream(ResolvableType declared) {
		return STREAMS.contains(declared.resolve(Object.class));
	}

	/**
	 * Whether Spring MVC tells when the work has ended, if the method is that of a
	 * controller.
	 * @param declared the return type
	 */
	static boolean endsWithRequest(ResolvableType declared) {
		Class<?> type = declared.resolve(Object.class);
		if (type.getName().equals(HTTP_ENTITY) || type.getName().equals("org.springframework.http.ResponseEntity")) {
			Class<?> body = declared.getGeneric(0).resolve(Object.class);
			return OF_CONTROLLERS.stream()
				.anyMatch((kind) -> kind.type.getName().startsWith(MVC) && kind.includes(body));
		}
		return find(OF_CONTROLLERS, type).isPresent();
	}

	/**
	 * Finds the part of a return type whose work runs too late.
	 * @param declared the return type
	 * @return the part as it is declared, and what to return instead
	 */
	static Optional<DeferredWork> in(ResolvableType declared) {
		Class<?> type = declared.resolve(Object.class);
		for (Class<?> wrapper : WRAPPERS) {
			if (wrapper.isAssignableFrom(type)) {
				return inWrapper(declared.as(wrapper).getGeneric(0));
			}
		}
		return (Future.class.isAssignableFrom(type) || isReactive(type)) ? Optional.empty() : find(REFUSED, type);
	}

	/**
	 * Finds the part of a type whose work runs too late, where a future or a publisher is
	 * not held to its end.
	 * @param content the type of the value in a wrapper
	 * @return the part as it is declared, and what to return instead
	 */
	static Optional<DeferredWork> inWrapper(ResolvableType content) {
		Class<?> type = content.resolve(Object.class);
		return find(REFUSED_IN_WRAPPER, type)
			.or(() -> isReactive(type) ? Optional.of(new DeferredWork(type, COLLECTED_BODY)) : in(content));
	}

	private static boolean isReactive(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * Finds the refused types that a value may have though the return type does not say
	 * so. There are none for nearly all return types.
	 * @param declared the return type
	 */
	static List<DeferredWork> behind(ResolvableType declared) {
		Class<?> type = declared.resolve(Object.class);
		for (Class<?> wrapper : WRAPPERS) {
			if (wrapper.isAssignableFrom(type)) {
				return behind(declared.as(wrapper).getGeneric(0));
			}
		}
		// A ServerResponse may be one with any body.
		return RESPONSES.stream().anyMatch(type::isAssignableFrom) ? REFUSED
				: REFUSED.stream().filter((each) -> type.isAssignableFrom(each.type)).toList();
	}

	/**
	 * Whether a type or a value's class is of this kind. An {@code Iterable} that is a
	 * supplier too, such as a page of Spring Data, has its elements already.
	 */
	boolean includes(Class<?> candidate) {
		boolean page = this.type == Supplier.class && Iterable.class.isAssignableFrom(candidate);
		return this.type.isAssignableFrom(candidate) && !page;
	}

	private static Optional<DeferredWork> find(List<DeferredWork> kinds, Class<?> type) {
		return kinds.stream()
			.filter((kind) -> kind.includes(type))
			.findFirst()
			.map((kind) -> new DeferredWork(type, kind.instead));
	}

	/**
	 * Returns a type of a library, or one that includes no other if the library is
	 * absent.
	 */
	private static Class<?> type(String name) {
		ClassLoader loader = DeferredWork.class.getClassLoader();
		return ClassUtils.isPresent(name, loader) ? ClassUtils.resolveClassName(name, loader) : Absent.class;
	}

	private static final class Absent {

	}

}
