package dev.redlock.it.jpa;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * A second-level cache of one instance, which does not learn what others write. Its
 * entries live for ever.
 */
@SuppressWarnings("serial") // Serializable only by inheritance.
public final class LocalCache extends RegionFactoryTemplate {

	@Override
	protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> values) {
	}

	@Override
	protected void releaseFromUse() {
	}

	@Override
	protected DomainDataStorageAccess createDomainDataStorageAccess(DomainDataRegionConfig config,
			DomainDataRegionBuildingContext context) {
		return new Entries();
	}

	@Override
	protected StorageAccess createQueryResultsRegionStorageAccess(String region, SessionFactoryImplementor factory) {
		return new Entries();
	}

	@Override
	protected StorageAccess createTimestampsRegionStorageAccess(String region, SessionFactoryImplementor factory) {
		return new Entries();
	}

	private static final class Entries implements DomainDataStorageAccess {

		private final Map<Object, Object> entries = new ConcurrentHashMap<>();

		@Override
		public Object getFromCache(Object key, SharedSessionContractImplementor session) {
			return this.entries.get(key);
		}

		@Override
		public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
			this.entries.put(key, value);
		}

		@Override
		public boolean contains(Object key) {
			return this.entries.containsKey(key);
		}

		@Override
		public void evictData() {
			this.entries.clear();
		}

		@Override
		public void evictData(Object key) {
			this.entries.remove(key);
		}

		@Override
		public void release() {
		}

	}

}
