package dev.redlock.spring.jpa;

import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.hibernate.type.BasicType;
import org.hibernate.type.EntityType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Computes the name of the lock that guards a row, from a template with attributes as
 * {@code #{name}}. The template may only use attributes that never change, because fences
 * of different locks cannot be compared.
 */
final class LockName {

	private static final Pattern ATTRIBUTE = Pattern.compile("#\\{(\\w+)(?:\\.(\\w+))?}");

	private final String template;

	private final EntityPersister persister;

	private final boolean generatedId;

	/**
	 * @throws InvalidRedLockException if an attribute in the template is unknown or may
	 * change
	 */
	LockName(String template, EntityPersister persister) {
		this.template = template;
		this.persister = persister;
		boolean namesGenerated = false;
		Matcher matcher = ATTRIBUTE.matcher(template);
		while (matcher.find()) {
			String name = matcher.group(1);
			if (name.equals(persister.getIdentifierPropertyName())) {
				require(hasOneText(persister.getIdentifierType()) && matcher.group(2) == null, matcher);
				namesGenerated = isGenerated(persister);
			}
			else {
				int index = Arrays.asList(persister.getPropertyNames()).indexOf(name);
				if (index < 0) {
					throw new InvalidRedLockException(
							"The name of the lock '" + template + "' of " + persister.getEntityName() + " has "
									+ matcher.group() + ", and there is no attribute " + name + ".",
							"Write the name of an attribute of the entity, as in order:#{id}.");
				}
				require(!persister.getPropertyUpdateability()[index]
						&& isPlain(persister.getPropertyTypes()[index], matcher.group(2)), matcher);
			}
		}
		if (template.replaceAll(ATTRIBUTE.pattern(), "").contains("#{")) {
			throw new InvalidRedLockException(
					"The name of the lock '" + template + "' of " + persister.getEntityName() + " has an expression.",
					"In the name of the lock, use only attributes of the entity, as in order:#{id}.");
		}
		this.generatedId = namesGenerated;
	}

	/**
	 * Whether the lock name of a new row contains an id that was generated for this row
	 * or for a new parent, so that no other row has or gets the same lock name.
	 */
	boolean isNew(Object instance, Predicate<Object> isNewParent) {
		return this.generatedId || ATTRIBUTE.matcher(this.template)
			.results()
			.filter((attribute) -> attribute.group(2) != null)
			.flatMap((attribute) -> Stream.ofNullable(this.persister.getPropertyValue(instance, attribute.group(1))))
			.anyMatch(isNewParent);
	}

	/**
	 * @throws IllegalArgumentException if an attribute in the lock name has no value
	 */
	String of(Object instance, SharedSessionContractImplementor session) {
		return ATTRIBUTE.matcher(this.template).replaceAll((match) -> {
			Object value = value(match, instance, session);
			if (value == null) {
				throw new IllegalArgumentException("The name of the lock of " + this.persister.getEntityName() + " has "
						+ match.group() + ", which has no value yet. Set the value before the row is written, and "
						+ "make its column not null: rows without a value would share one lock.");
			}
			return Matcher.quoteReplacement(value.toString());
		});
	}

	private @Nullable Object value(MatchResult attribute, Object instance, SharedSessionContractImplementor session) {
		String name = attribute.group(1);
		if (name.equals(this.persister.getIdentifierPropertyName())) {
			return this.persister.getIdentifier(instance, session);
		}
		Object value = loadedValue(name, instance, session);
		if (value == null || attribute.group(2) == null) {
			return value;
		}
		LazyInitializer proxy = HibernateProxy.extractLazyInitializer(value);
		return (proxy != null) ? proxy.getInternalIdentifier()
				: session.getEntityPersister(null, value).getIdentifier(value, session);
	}

	/**
	 * Returns the value in the row instead of a changed value in the object, which
	 * Hibernate would not write.
	 */
	private @Nullable Object loadedValue(String name, Object instance, SharedSessionContractImplementor session) {
		EntityEntry entry = session.getPersistenceContextInternal().getEntry(instance);
		return (entry != null && entry.isExistsInDatabase() && entry.getLoadedState() != null)
				? entry.getLoadedValue(name) : this.persister.getPropertyValue(instance, name);
	}

	/**
	 * Whether ids of deleted rows are never used again. An id may be used again if it has
	 * several columns, comes from another row (@MapsId), or is assigned by the
	 * application.
	 */
	static boolean isGenerated(EntityPersister persister) {
		Generator generator = persister.getGenerator();
		return persister.getIdentifierType() instanceof BasicType && generator.generatesOnInsert()
				&& !generator.allowAssignedIdentifiers();
	}

	private boolean isPlain(Type type, @Nullable String idOfAssociation) {
		if (idOfAssociation == null) {
			return hasOneText(type);
		}
		if (!(type instanceof EntityType association)) {
			return false;
		}
		EntityPersister other = this.persister.getFactory()
			.getMappingMetamodel()
			.getEntityDescriptor(association.getAssociatedEntityName());
		return idOfAssociation.equals(other.getIdentifierPropertyName()) && hasOneText(other.getIdentifierType());
	}

	/**
	 * Whether values of a type are stored in one column, and equal values have equal
	 * texts. Refuses arrays, whose text differs for each object, and dates, whose text
	 * depends on the time zone.
	 */
	private static boolean hasOneText(Type type) {
		Class<?> value = type.getReturnedClass();
		return type instanceof BasicType && !value.isArray() && !Date.class.isAssignableFrom(value)
				&& !Calendar.class.isAssignableFrom(value);
	}

	private void require(boolean met, Matcher attribute) {
		if (!met) {
			throw new InvalidRedLockException(
					"The name of the lock of " + this.persister.getEntityName() + " has " + attribute.group()
							+ ", which may change, or whose text is not always the same.",
					"Use an attribute that never changes: the id, a column with updatable = false, or the id of an "
							+ "association with updatable = false. The attribute must not be an array, a Date or a "
							+ "Calendar.");
		}
	}

}
