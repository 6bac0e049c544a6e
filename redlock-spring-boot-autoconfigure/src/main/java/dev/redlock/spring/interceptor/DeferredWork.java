package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A type of result whose work runs after the method has returned, so that it would run
 * after the lock is released. Loads without Reactor and without Spring MVC.
 *
 * @param type the type
 * @param instead what to return instead of it, a sentence
 */
record DeferredWork(Class<?> type, String instead) {

	private static final String INSIDE = "Return the value itself, or use RedLockTemplate inside of the work that is"
			+ " returned.";

	private static final String COLLECTED = "Return a List, or use RedLockTemplate around the code that reads it to its"
			+ " end.";

	private static final String AS_FUTURE = "Return a CompletableFuture that completes when the work is done.";

	private static final String AS_FLUX = "Return a Flux, or use RedLockTemplate around the code that sends.";

	private static final String COLLECTED_BODY = "Return Mono<ResponseEntity<List<…>>> or the publisher itself, or wait"
			+ " for the result inside of the method.";

	private static final String WEB = "org.springframework.web.";

	private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";

	private static final String MVC = WEB + "servlet.mvc.method.annotation.";

	/**
	 * These have an invoker of their own, except inside of a wrapper.
	 */
	private static final List<DeferredWork> KNOWN_ONLY_BY_THEMSELVES = present(
			new Named(Future.class.getName(), AS_FUTURE), new Named(CompletionStage.class.getName(), AS_FUTURE),
			new Named(Flow.Publisher.class.getName(), COLLECTED_BODY),
			new Named("org.reactivestreams.Publisher", COLLECTED_BODY));

	private static final List<DeferredWork> REFUSED = present(new Named(Callable.class.getName(), INSIDE),
			new Named(Runnable.class.getName(), INSIDE), new Named(Supplier.class.getName(), INSIDE),
			new Named("kotlin.jvm.functions.Function0", INSIDE), new Named(BaseStream.class.getName(), COLLECTED),
			new Named("kotlin.sequences.Sequence", COLLECTED), new Named(Iterator.class.getName(), COLLECTED),
			new Named(Spliterator.class.getName(), COLLECTED),
			new Named(WEB + "context.request.async.DeferredResult", AS_FUTURE),
			new Named(WEB + "context.request.async.WebAsyncTask", INSIDE),
			new Named(MVC + "StreamingResponseBody", INSIDE), new Named(MVC + "ResponseBodyEmitter", AS_FLUX));

	/**
	 * Their type argument says what is inside.
	 */
	private static final List<Class<?>> WRAPPERS = present(new Named(Optional.class.getName(), ""),
			new Named(CompletionStage.class.getName(), ""), new Named("reactor.core.publisher.Mono", ""),
			new Named(HTTP_ENTITY, ""))
		.stream()
		.<Class<?>>map(DeferredWork::type)
		.toList();

	/**
	 * Takes the body out of a response, if Spring Web is there. By reflection, as this
	 * package does without it.
	 */
	private static final @Nullable Method BODY = isPresent(HTTP_ENTITY) ? ClassUtils
		.getMethod(ClassUtils.resolveClassName(HTTP_ENTITY, DeferredWork.class.getClassLoader()), "getBody") : null;

	/**
	 * Finds the part of a return type whose work runs too late.
	 * @param declared the return type
	 * @return the part as it is declared, and what to return instead
	 */
	static Optional<DeferredWork> in(ResolvableType declared) {
		Class<?> type = declared.resolve(Object.class);
		for (Class<?> wrapper : WRAPPERS) {
			if (wrapper.isAssignableFrom(type)) {
				ResolvableType content = declared.as(wrapper).getGeneric(0);
				return find(KNOWN_ONLY_BY_THEMSELVES, content.resolve(Object.class)).or(() -> in(content));
			}
		}
		return Future.class.isAssignableFrom(type) ? Optional.empty() : find(REFUSED, type);
	}

	/**
	 * Finds what a value of a return type may turn out to be though the type does not say
	 * so. Nothing, for nearly all types.
	 * @param declared the return type
	 */
	static List<DeferredWork> behind(ResolvableType declared) {
		Class<?> type = declared.resolve(Object.class);
		for (Class<?> wrapper : WRAPPERS) {
			if (wrapper.isAssignableFrom(type)) {
				return behind(declared.as(wrapper).getGeneric(0));
			}
		}
		return REFUSED.stream().filter((each) -> type.isAssignableFrom(each.type)).toList();
	}

	/**
	 * Whether a type or a value's class is of this kind. A collection that is a supplier
	 * too, as a page of Spring Data is, has its elements.
	 */
	boolean includes(Class<?> candidate) {
		boolean page = this.type == Supplier.class && Iterable.class.isAssignableFrom(candidate);
		return this.type.isAssignableFrom(candidate) && !page;
	}

	/**
	 * Takes a value out of an {@code Optional} or a response.
	 */
	static @Nullable Object unwrap(@Nullable Object result) {
		if (result instanceof Optional<?> optional) {
			return unwrap(optional.orElse(null));
		}
		return (BODY != null && BODY.getDeclaringClass().isInstance(result))
				? unwrap(ReflectionUtils.invokeMethod(BODY, result)) : result;
	}

	private static Optional<DeferredWork> find(List<DeferredWork> kinds, Class<?> type) {
		return kinds.stream()
			.filter((kind) -> kind.includes(type))
			.findFirst()
			.map((kind) -> new DeferredWork(type, kind.instead));
	}

	private static List<DeferredWork> present(Named... types) {
		List<DeferredWork> present = new ArrayList<>();
		for (Named type : types) {
			if (isPresent(type.name())) {
				present.add(new DeferredWork(
						ClassUtils.resolveClassName(type.name(), DeferredWork.class.getClassLoader()), type.instead()));
			}
		}
		return List.copyOf(present);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, DeferredWork.class.getClassLoader());
	}

	private record Named(String name, String instead) {

	}

}
