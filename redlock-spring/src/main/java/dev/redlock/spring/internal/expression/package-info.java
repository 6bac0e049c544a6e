/**
 * The texts of the annotation with SpEL expressions and placeholders: parsed and checked
 * at startup, evaluated for each call. {@code ExpressionContext} has what an expression
 * can use; what that needs in a native image is in {@code aot}.
 */
@NullMarked
package dev.redlock.spring.internal.expression;

import org.jspecify.annotations.NullMarked;
