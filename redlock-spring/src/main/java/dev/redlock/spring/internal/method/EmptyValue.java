package dev.redlock.spring.internal.method;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Finds the value that a skipped call of a locked method returns, such as null or an
 * empty {@code Optional}.
 */
public final class EmptyValue {

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	private static final Set<String> EMPTY_IN_KOTLIN = Set.of("void", "kotlin.Unit", "kotlinx.coroutines.flow.Flow");

	private EmptyValue() {
	}

	public static boolean exists(AnnotatedMethod annotated) {
		Method method = annotated.method();
		Class<?> type = annotated.returnType();
		if (KotlinDetector.isSuspendingFunction(method)) {
			String declared = new MethodParameter(method, -1).getParameterType().getName();
			return EMPTY_IN_KOTLIN.contains(declared) || Nullness.forMethodReturnType(method) != Nullness.NON_NULL;
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			return adapter.supportsEmpty();
		}
		return type == void.class || of(type) != null || (!type.isPrimitive() && !isNeverNullInKotlin(method));
	}

	public static @Nullable Object of(Class<?> type) {
		if (EMPTY.containsKey(type)) {
			return EMPTY.get(type);
		}
		if (CompletionStage.class.isAssignableFrom(type)) {
			return CompletableFuture.completedFuture(null);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null) ? adapter.getDescriptor().getEmptyValue() : null;
	}

	private static boolean isNeverNullInKotlin(Method method) {
		return KotlinDetector.isKotlinType(method.getDeclaringClass())
				&& Nullness.forMethodReturnType(method) == Nullness.NON_NULL;
	}

}
