package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * The {@code #root} of expressions.
 */
record ExpressionRoot(@Nullable Object[] args, Method method, @Nullable Object target) {

}
