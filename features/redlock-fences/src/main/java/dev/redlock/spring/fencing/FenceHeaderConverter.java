package dev.redlock.spring.fencing;

import java.util.Collection;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Reads a header {@code Redlock-Fence} of several lines as one list, because a proxy may
 * split the header, or a sender may add a line. Without this converter, Spring reads the
 * first line and ignores the other lines.
 */
final class FenceHeaderConverter implements GenericConverter {

	/**
	 * Spring MVC passes several lines as an array, and WebFlux as a list.
	 */
	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return Set.of(new ConvertiblePair(String[].class, FenceHeader.class),
				new ConvertiblePair(Collection.class, FenceHeader.class));
	}

	@Override
	public Object convert(@Nullable Object lines, TypeDescriptor sourceType, TypeDescriptor targetType) {
		return FenceHeader.valueOf(StringUtils.arrayToCommaDelimitedString(
				(lines instanceof Collection<?> list) ? list.toArray() : ObjectUtils.toObjectArray(lines)));
	}

}
