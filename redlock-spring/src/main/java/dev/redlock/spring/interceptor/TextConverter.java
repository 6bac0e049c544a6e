package dev.redlock.spring.interceptor;

import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.util.ReflectionUtils;

/**
 * Knows which values have a text that may be part of a name. Expressions use it for
 * values that they append to text, as in <code>'stock:' + #sku</code>.
 */
final class TextConverter implements TypeConverter {

	private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

	private final TypeConverter standard = new StandardTypeConverter();

	@Override
	public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
		return target.equals(TEXT) || this.standard.canConvert(source, target);
	}

	@Override
	public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor source,
			TypeDescriptor target) {
		return (value != null && target.equals(TEXT)) ? text(value) : this.standard.convertValue(value, source, target);
	}

	private @Nullable Object text(Object value) {
		Object content = unwrap(value);
		if (content == null || content instanceof Collection<?> || content instanceof Map<?, ?>
				|| !hasTextOfItsOwn(content)) {
			throw new SpelEvaluationException(SpelMessage.TYPE_CONVERSION_ERROR, value.getClass().getTypeName(),
					"text that is part of a name");
		}
		TypeDescriptor type = TypeDescriptor.valueOf(content.getClass());
		return this.standard.canConvert(type, TEXT) ? this.standard.convertValue(content, type, TEXT)
				: content.toString();
	}

	/**
	 * Returns the content of an optional. A value class of Kotlin is its property, as
	 * most of its values are to Java.
	 */
	static @Nullable Object unwrap(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return unwrap(optional.orElse(null));
		}
		return (value != null && KotlinDetector.isInlineClass(value.getClass())) ? property(value) : value;
	}

	private static @Nullable Object property(Object value) {
		var unbox = ReflectionUtils.findMethod(value.getClass(), "unbox-impl");
		if (unbox == null) {
			return value;
		}
		ReflectionUtils.makeAccessible(unbox);
		return ReflectionUtils.invokeMethod(unbox, value);
	}

	/**
	 * Whether the text does not depend on the virtual machine or its time zone.
	 */
	static boolean hasTextOfItsOwn(Object value) {
		if (value instanceof CharSequence || value instanceof Number) {
			return true;
		}
		Class<?> type = value.getClass();
		if (type.isArray() || type == ExpressionRoot.class || value instanceof Date || value instanceof Calendar) {
			return false;
		}
		var toString = ReflectionUtils.findMethod(type, "toString");
		return toString != null && toString.getDeclaringClass() != Object.class;
	}

}
