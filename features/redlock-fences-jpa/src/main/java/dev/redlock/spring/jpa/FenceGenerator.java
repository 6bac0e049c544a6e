package dev.redlock.spring.jpa;

import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Gives Hibernate the fence for each insert and update of an entity with
 * {@link FencedVersion}. This class is public only because Hibernate instantiates
 * generators by reflection.
 */
public final class FenceGenerator implements BeforeExecutionGenerator {

	private static final long serialVersionUID = 1L;

	private final String resource;

	/**
	 * The subclasses of an entity share this generator, but the positions of their
	 * attributes differ.
	 */
	private final transient Map<EntityPersister, FencedEntity> entities = new ConcurrentHashMap<>();

	/**
	 * @throws InvalidRedLockException if the attribute with {@link FencedVersion} is the
	 * version or belongs to an embeddable
	 */
	public FenceGenerator(FencedVersion annotation, Member member, GeneratorCreationContext context) {
		this.resource = annotation.resource();
		@Nullable PersistentClass entity = context.getPersistentClass();
		if (entity == null) {
			throw new InvalidRedLockException(
					member.getDeclaringClass().getName() + " has @FencedVersion, and is an @Embeddable.",
					"Put @FencedVersion on an attribute of the entity itself.");
		}
		if (context.getProperty().equals(entity.getVersion())) {
			throw new InvalidRedLockException(
					entity.getEntityName() + " has @FencedVersion and @Version on one attribute.",
					"Use two attributes: a Long with @FencedVersion, and another attribute with @Version.");
		}
	}

	/**
	 * @return the fenced entity of the persister; empty if the entity has no
	 * {@link FencedVersion}
	 */
	static Optional<FencedEntity> entity(EntityPersister persister) {
		return Stream.of(persister.getGenerators())
			.filter(FenceGenerator.class::isInstance)
			.map((generator) -> ((FenceGenerator) generator).fenced(persister))
			.findFirst();
	}

	@Override
	public EnumSet<EventType> getEventTypes() {
		return EventTypeSets.INSERT_AND_UPDATE;
	}

	@Override
	public Long generate(SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue,
			EventType eventType) {
		FencedEntity fenced = fenced(session.getEntityPersister(null, owner));
		return (eventType == EventType.INSERT) ? fenced.insert(owner, session) : fenced.write(owner, session);
	}

	private FencedEntity fenced(EntityPersister persister) {
		return this.entities.computeIfAbsent(persister, (key) -> new FencedEntity(key, this, this.resource));
	}

}
