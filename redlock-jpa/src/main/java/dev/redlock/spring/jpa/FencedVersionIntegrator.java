package dev.redlock.spring.jpa;

import java.util.HashMap;
import java.util.Map;

import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostLoadEvent;
import org.hibernate.event.spi.PostLoadEventListener;
import org.hibernate.event.spi.PreCollectionRecreateEvent;
import org.hibernate.event.spi.PreCollectionRecreateEventListener;
import org.hibernate.event.spi.PreCollectionRemoveEvent;
import org.hibernate.event.spi.PreCollectionRemoveEventListener;
import org.hibernate.event.spi.PreCollectionUpdateEvent;
import org.hibernate.event.spi.PreCollectionUpdateEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.integrator.spi.Integrator;
import org.jspecify.annotations.Nullable;

/**
 * Tells Hibernate to claim entities with {@link FencedVersion} when it loads them.
 * Hibernate finds it by itself. It checks the entities when the session factory is
 * created, and adds nothing to a session factory without such entities.
 */
public final class FencedVersionIntegrator implements Integrator {

	/**
	 * Called by Hibernate.
	 */
	public FencedVersionIntegrator() {
	}

	@Override
	public void integrate(Metadata metadata, BootstrapContext bootstrapContext,
			SessionFactoryImplementor sessionFactory) {
		sessionFactory.addObserver(new Start());
	}

	/**
	 * Waits for the mapping, which does not exist before the session factory does.
	 */
	private static final class Start implements SessionFactoryObserver {

		private static final long serialVersionUID = 1L;

		@Override
		public void sessionFactoryCreated(SessionFactory factory) {
			SessionFactoryImplementor created = (SessionFactoryImplementor) factory;
			Map<String, FencedEntity> entities = new HashMap<>();
			created.getMappingMetamodel().forEachEntityDescriptor((persister) -> {
				FencedEntity entity = FenceGenerator.entity(persister);
				if (entity != null) {
					entities.put(persister.getEntityName(), entity);
				}
			});
			if (!entities.isEmpty()) {
				register(new Listener(Map.copyOf(entities)), created.getEventListenerRegistry());
			}
		}

		private static void register(Listener listener, EventListenerRegistry registry) {
			registry.appendListeners(EventType.POST_LOAD, listener);
			registry.appendListeners(EventType.PRE_DELETE, listener);
			registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, listener);
			registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, listener);
			registry.appendListeners(EventType.PRE_COLLECTION_REMOVE, listener);
		}

	}

	/**
	 * Claims rows at the load, and requires claims for writes that change no column of
	 * the row itself.
	 */
	private static final class Listener implements PostLoadEventListener, PreDeleteEventListener,
			PreCollectionRecreateEventListener, PreCollectionUpdateEventListener, PreCollectionRemoveEventListener {

		private static final long serialVersionUID = 1L;

		private final transient Map<String, FencedEntity> entities;

		private Listener(Map<String, FencedEntity> entities) {
			this.entities = entities;
		}

		@Override
		public void onPostLoad(PostLoadEvent event) {
			FencedEntity entity = this.entities.get(event.getPersister().getEntityName());
			if (entity != null) {
				entity.loaded(event.getEntity(), event.getSession());
			}
		}

		@Override
		public boolean onPreDelete(PreDeleteEvent event) {
			FencedEntity entity = this.entities.get(event.getPersister().getEntityName());
			if (entity != null) {
				entity.delete(event.getEntity(), event.getSession());
			}
			return false;
		}

		@Override
		public void onPreRecreateCollection(PreCollectionRecreateEvent event) {
			write(event);
		}

		@Override
		public void onPreUpdateCollection(PreCollectionUpdateEvent event) {
			write(event);
		}

		@Override
		public void onPreRemoveCollection(PreCollectionRemoveEvent event) {
			write(event);
		}

		private void write(AbstractCollectionEvent event) {
			FencedEntity entity = this.entities.get(event.getAffectedOwnerEntityName());
			@Nullable Object owner = event.getAffectedOwnerOrNull();
			if (entity != null && owner != null) {
				entity.write(owner, event.getSession());
			}
		}

	}

}
