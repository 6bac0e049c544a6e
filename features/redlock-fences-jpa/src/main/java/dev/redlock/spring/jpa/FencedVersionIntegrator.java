package dev.redlock.spring.jpa;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.hibernate.LockMode;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.FlushEntityEvent;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.integrator.spi.Integrator;
import org.jspecify.annotations.Nullable;

/**
 * Makes Hibernate check and raise the fence of an entity with {@link FencedVersion} when
 * Hibernate loads the entity under its lock, deletes it, raises its version for a lock
 * mode, or writes its collections. Inserts and updates of the row go through
 * {@code FenceGenerator}. Hibernate finds this class by Java's {@code ServiceLoader}.
 * Creating the session factory fails if a {@link FencedVersion} is used wrongly.
 */
public final class FencedVersionIntegrator implements Integrator {

	public FencedVersionIntegrator() {
	}

	@Override
	public void integrate(Metadata metadata, BootstrapContext bootstrapContext,
			SessionFactoryImplementor sessionFactory) {
		sessionFactory.addObserver(new Claims());
	}

	/**
	 * The listeners are registered only when the session factory exists, because the
	 * mapping of the entities does not exist earlier.
	 */
	private static final class Claims implements SessionFactoryObserver {

		private static final long serialVersionUID = 1L;

		private final transient Map<String, FencedEntity> entities = new HashMap<>();

		@Override
		public void sessionFactoryCreated(SessionFactory factory) {
			SessionFactoryImplementor created = (SessionFactoryImplementor) factory;
			created.getMappingMetamodel()
				.forEachEntityDescriptor((persister) -> FenceGenerator.entity(persister)
					.ifPresent((entity) -> this.entities.put(persister.getEntityName(), entity)));
			if (!this.entities.isEmpty()) {
				register(created.getEventListenerRegistry());
				new UnguardedChildren(this.entities.keySet()).warn(created.getMetamodel().getEntities());
			}
		}

		private void register(EventListenerRegistry registry) {
			registry.appendListeners(EventType.POST_LOAD, (event) -> find(event.getPersister().getEntityName())
				.ifPresent((entity) -> entity.loaded(event.getEntity(), event.getSession())));
			registry.appendListeners(EventType.FLUSH_ENTITY, this::flush);
			registry.appendListeners(EventType.PRE_DELETE, this::delete);
			registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, this::write);
			registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, this::write);
			registry.appendListeners(EventType.PRE_COLLECTION_REMOVE, this::write);
		}

		/**
		 * Checks the fence before a lock mode raises the version, because Hibernate does
		 * not report this write.
		 */
		private void flush(FlushEntityEvent event) {
			EntityEntry entry = event.getEntityEntry();
			if (entry.getLockMode() == LockMode.PESSIMISTIC_FORCE_INCREMENT
					|| entry.getLockMode() == LockMode.OPTIMISTIC_FORCE_INCREMENT) {
				find(entry.getPersister().getEntityName())
					.ifPresent((entity) -> entity.write(event.getEntity(), event.getSession()));
			}
		}

		private boolean delete(PreDeleteEvent event) {
			find(event.getPersister().getEntityName())
				.ifPresent((entity) -> entity.delete(event.getEntity(), event.getSession()));
			return false;
		}

		private void write(AbstractCollectionEvent event) {
			@Nullable Object owner = event.getAffectedOwnerOrNull();
			if (owner != null) {
				find(event.getAffectedOwnerEntityName()).ifPresent((entity) -> entity.write(owner, event.getSession()));
			}
		}

		private Optional<FencedEntity> find(String entityName) {
			return Optional.ofNullable(this.entities.get(entityName));
		}

	}

}
