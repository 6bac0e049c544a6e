package dev.redlock.spring.interceptor;

import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * Converts values inside of expressions, as in <code>'stock:' + #sku</code>. Refuses a
 * text that could not be a name either.
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
		Object content = LockText.unwrap(value);
		if (content == null || content instanceof Collection<?> || content instanceof Map<?, ?>
				|| !LockText.hasTextOfItsOwn(content.getClass())) {
			throw new SpelEvaluationException(SpelMessage.TYPE_CONVERSION_ERROR, value.getClass().getTypeName(),
					"text that is part of a name");
		}
		TypeDescriptor type = TypeDescriptor.valueOf(content.getClass());
		return this.standard.canConvert(type, TEXT) ? this.standard.convertValue(content, type, TEXT)
				: content.toString();
	}

}
