package dev.redlock.spring.internal.expression;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * The object that expressions of {@code @RedLock} use as {@code #root}.
 */
public record ExpressionRoot(@Nullable Object[] args, Method method, @Nullable Object target) {

}
