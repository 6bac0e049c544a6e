package dev.redlock.spring.jpa;

import java.util.ArrayList;
import java.util.List;

import org.hibernate.cache.spi.access.CollectionDataAccess;
import org.hibernate.cache.spi.access.EntityDataAccess;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Evicts rows of one entity from Hibernate's second-level cache, because writes of other
 * processes do not update this cache.
 */
final class CachedRow {

	private final EntityPersister persister;

	private final List<CollectionPersister> collections = new ArrayList<>();

	CachedRow(EntityPersister persister) {
		this.persister = persister;
		persister.getFactory().getMappingMetamodel().forEachCollectionDescriptor((collection) -> {
			String owner = collection.getOwnerEntityPersister().getRootEntityName();
			if (collection.hasCache() && owner.equals(persister.getRootEntityName())) {
				this.collections.add(collection);
			}
		});
	}

	void evict(Object id, SharedSessionContractImplementor session) {
		String tenant = session.getTenantIdentifier();
		@Nullable EntityDataAccess entities = this.persister.getCacheAccessStrategy();
		if (entities != null) {
			entities.evict(entities.generateCacheKey(id, this.persister, session.getFactory(), tenant));
		}
		for (CollectionPersister collection : this.collections) {
			CollectionDataAccess elements = collection.getCacheAccessStrategy();
			elements.evict(elements.generateCacheKey(id, collection, session.getFactory(), tenant));
		}
	}

}
