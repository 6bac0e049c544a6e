package dev.redlock.spring.internal.expression;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The text of a {@code @RedLock} attribute, split into literals and SpEL expressions.
 * Error messages name the expression and never its value, because the value may be a
 * secret.
 */
public record LockText(AnnotatedMethod method, String attribute, String text, List<Expression> parts) {

	public boolean isConstant() {
		return this.parts.stream().allMatch(LiteralExpression.class::isInstance);
	}

	public @Nullable Object value(Supplier<EvaluationContext> context) {
		return evaluate(this.parts.get(0), context);
	}

	/**
	 * A text that is a single expression may yield several names, as a collection or an
	 * array. An array of bytes is refused as a resource name.
	 */
	public List<String> names(Supplier<EvaluationContext> context) {
		if (this.parts.size() > 1) {
			return List.of(this.parts.stream()
				.map((part) -> text(evaluate(part, context), part))
				.collect(Collectors.joining()));
		}
		Expression only = this.parts.get(0);
		Object value = value(context);
		if (!(value instanceof Collection<?>) && (!ObjectUtils.isArray(value) || value instanceof byte[])) {
			return List.of(text(value, only));
		}
		Collection<?> several = (value instanceof Collection<?> collection) ? collection
				: Arrays.asList(ObjectUtils.toObjectArray(value));
		if (several.isEmpty()) {
			throw problem(only, "is empty", "Name at least one resource, or set the attribute condition.");
		}
		return several.stream().map((element) -> text(element, only)).toList();
	}

	public IllegalArgumentException problem(Expression part, String what, String action) {
		return problem(part, what, action, null);
	}

	private IllegalArgumentException problem(Expression part, String what, String action, @Nullable Exception cause) {
		return new IllegalArgumentException("In the " + this.attribute + " of @RedLock on " + this.method
				+ " the expression #{" + part.getExpressionString() + "} " + what + ". " + action, cause);
	}

	private @Nullable Object evaluate(Expression part, Supplier<EvaluationContext> context) {
		if (part instanceof LiteralExpression) {
			return part.getExpressionString();
		}
		try {
			return part.getValue(context.get());
		}
		catch (RuntimeException ex) {
			throw problem(part, "cannot be evaluated", cause(ex), ex);
		}
	}

	/**
	 * The error message repeats the text of a SpEL exception, which names only properties
	 * and types. The text of any other exception is left out, because such a text may
	 * contain secret values.
	 */
	private static String cause(RuntimeException ex) {
		return (ex instanceof SpelEvaluationException) ? String.valueOf(ex.getMessage())
				: "The expression threw " + ex.getClass().getName() + ", which is the cause of this exception.";
	}

	private String text(@Nullable Object value, Expression part) {
		Object content = unwrap(value);
		if (content == null) {
			throw problem(part, "is null",
					"All calls for which the expression is null would lock the same name. Pass a value, or set the "
							+ "attribute condition.");
		}
		if (content instanceof Collection<?> || content instanceof Map<?, ?>) {
			throw problem(part, "yields several values inside of one name",
					"To lock all values of a collection, make a name of each value, as in "
							+ "#{#ids.![ 'stock:' + #this ]}.");
		}
		if (!hasStableText(content)) {
			throw problem(part, "yields a " + content.getClass().getTypeName() + ", whose text differs on each machine",
					"Name a property of the object, such as its id.");
		}
		String text = content.toString();
		if (part instanceof LiteralExpression || !text.isBlank()) {
			return text;
		}
		throw problem(part, "is blank",
				"All calls for which the expression is blank would lock the same name. Pass a value, or set the "
						+ "attribute condition.");
	}

	/**
	 * Returns the content of an {@code Optional} or of a Kotlin value class. Kotlin
	 * passes a value class as an object or as its bare content, and both must yield the
	 * same name.
	 */
	private static @Nullable Object unwrap(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return unwrap(optional.orElse(null));
		}
		return (value != null && KotlinDetector.isInlineClass(value.getClass())) ? property(value) : value;
	}

	private static @Nullable Object property(Object value) {
		var unbox = ReflectionUtils.findMethod(value.getClass(), "unbox-impl");
		return (unbox != null) ? read(unbox, value) : value;
	}

	private static @Nullable Object read(Method getter, Object value) {
		ReflectionUtils.makeAccessible(getter);
		return ReflectionUtils.invokeMethod(getter, value);
	}

	/**
	 * Whether {@code toString()} returns the same text in every process and time zone.
	 * Refuses records with a {@code Set} or {@code Map}, whose order differs in each
	 * process.
	 */
	private static boolean hasStableText(Object value) {
		if (value instanceof CharSequence || value instanceof Number) {
			return true;
		}
		Class<?> type = value.getClass();
		if (type.isArray() || value instanceof Date || value instanceof Calendar) {
			return false;
		}
		if (type.isRecord() && value.toString().startsWith(type.getSimpleName() + "[")) {
			return Stream.of(type.getRecordComponents())
				.map((part) -> read(part.getAccessor(), value))
				.allMatch((part) -> part == null
						|| !(part instanceof Set<?> || part instanceof Map<?, ?>) && hasStableText(part));
		}
		var toString = ReflectionUtils.findMethod(type, "toString");
		return toString != null && toString.getDeclaringClass() != Object.class;
	}

}
