package dev.redlock.spring.data;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.relational.core.conversion.RelationalConverter;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Finds the {@link FencedAggregate} of a type. Spring Data calls callbacks for all types,
 * including types without {@link Fenced}.
 */
final class FencedAggregates {

	private final Map<Class<?>, Optional<FencedAggregate>> known = new ConcurrentHashMap<>();

	private final Function<Class<?>, FencedAggregate> reader;

	FencedAggregates(Function<Class<?>, FencedAggregate> reader) {
		this.reader = reader;
	}

	/**
	 * @return the fenced aggregate of the type; null if no property has {@link Fenced}
	 */
	@Nullable FencedAggregate find(Class<?> type) {
		return this.known
			.computeIfAbsent(type, (key) -> isFenced(key) ? Optional.of(this.reader.apply(key)) : Optional.empty())
			.orElse(null);
	}

	/**
	 * Reads the mapping of all known aggregates, so that startup fails if a
	 * {@link Fenced} is used wrongly.
	 */
	void check(RelationalConverter converter) {
		for (RelationalPersistentEntity<?> entity : converter.getMappingContext().getPersistentEntities()) {
			find(entity.getType());
			for (RelationalPersistentProperty property : entity) {
				if (property.isEntity() && isFenced(property.getActualType())) {
					throw new InvalidRedLockException(property.getActualType().getName()
							+ " has @Fenced, but is not a root: it is a part of the aggregate " + entity.getName()
							+ ".", "Put @Fenced on the root of the aggregate.");
				}
			}
		}
	}

	private static boolean isFenced(@Nullable Class<?> type) {
		return type != null && type != Object.class
				&& (Arrays.stream(type.getDeclaredFields())
					.anyMatch((Field field) -> field.isAnnotationPresent(Fenced.class))
						|| isFenced(type.getSuperclass()));
	}

}
