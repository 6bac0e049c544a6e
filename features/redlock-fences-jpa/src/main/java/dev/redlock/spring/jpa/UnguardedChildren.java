package dev.redlock.spring.jpa;

import java.lang.reflect.AnnotatedElement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import jakarta.persistence.CascadeType;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.metamodel.Attribute;
import jakarta.persistence.metamodel.Attribute.PersistentAttributeType;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.PluralAttribute;
import jakarta.persistence.metamodel.SingularAttribute;
import jakarta.persistence.metamodel.Type;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at the start of children of a fenced entity that have no fence: the fence of the
 * parent does not refuse a late write of a child's row.
 */
final class UnguardedChildren {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.spring.jpa");

	/** The names of the fenced entities. */
	private final Set<String> fenced;

	/**
	 * For each fenced entity its children without a fence, each with the attribute that
	 * makes the row a child.
	 */
	private final Map<String, Map<String, String>> children = new TreeMap<>();

	UnguardedChildren(Set<String> fenced) {
		this.fenced = fenced;
	}

	void warn(Set<EntityType<?>> entities) {
		entities.forEach((entity) -> entity.getAttributes().forEach((attribute) -> check(entity, attribute)));
		this.children.forEach((parent, rows) -> logger.warn("{} has @FencedVersion, which does not guard its children "
				+ "{}: a late write of a row of such a child is not refused. There are two ways to guard a child. "
				+ "Give the child @FencedVersion with the name of the parent's lock, as in order:#{order.id}, and for "
				+ "this an attribute of its parent. Or give the child @Version, and let each transaction that writes "
				+ "the child first load the parent under the parent's lock.", parent, rows.values()));
	}

	private void check(EntityType<?> entity, Attribute<?, ?> attribute) {
		EntityType<?> other = other(attribute);
		if (other == null) {
			return;
		}
		if (ownsRowsOf(attribute)) {
			add(entity, other, entity, attribute);
		}
		else if (attribute instanceof SingularAttribute<?, ?>) {
			add(other, entity, entity, attribute);
		}
	}

	private void add(EntityType<?> parent, EntityType<?> child, EntityType<?> owner, Attribute<?, ?> attribute) {
		if (isFenced(parent) && !isFenced(child)) {
			this.children.computeIfAbsent(parent.getName(), (name) -> new TreeMap<>())
				.merge(child.getName(), child.getName() + " (" + owner.getName() + "." + attribute.getName() + ")",
						(known, found) -> (owner == parent) ? found : known);
		}
	}

	private boolean isFenced(EntityType<?> entity) {
		return this.fenced.contains(entity.getJavaType().getName());
	}

	private static @Nullable EntityType<?> other(Attribute<?, ?> attribute) {
		Type<?> type = (attribute instanceof PluralAttribute<?, ?, ?> plural) ? plural.getElementType()
				: ((SingularAttribute<?, ?>) attribute).getType();
		return (type instanceof EntityType<?> entity) ? entity : null;
	}

	/**
	 * For a {@code @OneToMany} with a join table, Hibernate's metamodel says
	 * {@code MANY_TO_MANY}, so the annotation is read.
	 */
	private static boolean ownsRowsOf(Attribute<?, ?> attribute) {
		if (!(attribute.getJavaMember() instanceof AnnotatedElement member)) {
			return attribute.getPersistentAttributeType() == PersistentAttributeType.ONE_TO_MANY;
		}
		OneToOne one = member.getAnnotation(OneToOne.class);
		return member.isAnnotationPresent(OneToMany.class)
				|| attribute.getPersistentAttributeType() == PersistentAttributeType.ONE_TO_MANY
				|| (one != null && (!one.mappedBy().isEmpty() || one.orphanRemoval()
						|| Set.of(one.cascade()).contains(CascadeType.ALL)));
	}

}
