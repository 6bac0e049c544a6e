package dev.redlock.spring.internal.aot;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import dev.redlock.spring.internal.method.DeferredWork;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.resilience.retry.AbstractRetryInterceptor;

/**
 * Registers types of optional libraries for native images. Redlock detects a library by a
 * type's name, and a native image finds only registered types.
 */
final class NamedTypeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		ReflectionHints reflection = hints.reflection();
		Stream
			.of("org.springframework.transaction.support.TransactionSynchronizationManager",
					"reactor.core.publisher.Flux", "reactor.core.scheduler.NonBlocking",
					"io.netty.util.concurrent.FastThreadLocalThread", "kotlinx.coroutines.reactor.MonoKt")
			.forEach((name) -> reflection.registerTypeIfPresent(classLoader, name));
		reflection.registerType(AbstractRetryInterceptor.class, (type) -> type.withMethod("getRetrySpec",
				TypeReference.listOf(Method.class, Class.class), ExecutableMode.INVOKE));
		DeferredWork.optionalTypes().forEach((type) -> reflection.registerType(type));
	}

}
