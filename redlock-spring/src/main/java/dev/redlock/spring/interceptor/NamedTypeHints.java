package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps types of optional libraries in a native image that this library looks up by their
 * names. Without them it would take the libraries for absent.
 */
final class NamedTypeHints implements RuntimeHintsRegistrar {

	private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		ReflectionHints reflection = hints.reflection();
		Stream
			.of("org.springframework.transaction.support.TransactionSynchronizationManager",
					"org.springframework.transaction.interceptor.TransactionAspectSupport",
					"org.springframework.web.context.request.async.WebAsyncTask",
					"org.springframework.web.context.request.async.DeferredResult",
					"org.springframework.web.servlet.function.AsyncServerResponse",
					"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
					"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
					"org.reactivestreams.Publisher", "reactor.core.publisher.Flux", "reactor.core.publisher.Mono",
					"kotlin.jvm.functions.Function0", "kotlin.sequences.Sequence", "kotlinx.coroutines.Job",
					"kotlinx.coroutines.reactor.MonoKt")
			.forEach((name) -> reflection.registerTypeIfPresent(classLoader, name));
		reflection.registerTypeIfPresent(classLoader, HTTP_ENTITY,
				(type) -> type.withMethod("getBody", List.of(), ExecutableMode.INVOKE));
	}

}
