package dev.redlock.spring.jpa;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.redlock.Lease;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.template.TransactionLeases;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.Synchronization;
import org.hibernate.LockMode;
import org.hibernate.StaleObjectStateException;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.EntityEntryExtraState;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.hibernate.metamodel.mapping.SelectableMapping;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.CollectionType;
import org.jspecify.annotations.Nullable;

/**
 * Checks and raises the fences of an entity with {@link FencedVersion}. One conditional
 * update raises the fence and locks the row until the transaction ends, so no other
 * transaction changes the row.
 */
final class FencedEntity {

	/**
	 * The fence of a row whose lock name no other transaction knows at the insert.
	 */
	private static final Long FENCE_OF_NEW_NAME = 0L;

	private final EntityPersister persister;

	private final int fenceIndex;

	private final LockName lockName;

	private final CachedRow cache;

	private final int idColumns;

	private final String claim;

	private final String readLatest;

	/**
	 * @throws InvalidRedLockException if the mapping of the entity does not allow a fence
	 */
	FencedEntity(EntityPersister persister, FenceGenerator generator, String resource) {
		this.persister = persister;
		this.fenceIndex = Arrays.asList(persister.getGenerators()).indexOf(generator);
		String attribute = persister.getPropertyNames()[this.fenceIndex];
		require(Arrays.stream(persister.getGenerators()).filter(FenceGenerator.class::isInstance).count() == 1,
				" on several attributes.", "Keep @FencedVersion on one attribute.");
		require(persister.isVersioned(), ", but no attribute with @Version.",
				"Add an attribute with @Version: the fence distinguishes leases, and the version distinguishes the "
						+ "writes of one lease.");
		for (int i = 0; i < persister.getPropertyNames().length; i++) {
			refuseUnversioned(i);
		}
		require(persister.isMutable(), " and @Immutable, but each transaction under its lock writes the fence.",
				"Remove @Immutable or @FencedVersion.");
		require(persister.getPropertyTypes()[this.fenceIndex].getReturnedClass() == Long.class
				&& persister.findAttributeMapping(attribute) instanceof SelectableMapping,
				" on an attribute that is not a Long.", "Make " + attribute + " a Long in one column.");
		SelectableMapping fence = (SelectableMapping) persister.findAttributeMapping(attribute);
		String table = persister.getRootTableName();
		require(fence.getContainingTableExpression().equals(table),
				", but " + attribute + " is not in the table of the entity at the root of the inheritance.",
				"Move the attribute to the root entity, and do not use InheritanceType.TABLE_PER_CLASS.");
		this.lockName = new LockName(resource, persister);
		this.cache = new CachedRow(persister);
		String set = fence.getSelectionExpression();
		String version = persister.getVersionMapping().getSelectionExpression();
		List<String> id = new ArrayList<>();
		persister.getRootEntityDescriptor()
			.getIdentifierMapping()
			.forEachSelectable((index, column) -> id.add(column.getSelectionExpression() + "=?"));
		String row = " where " + String.join(" and ", id);
		this.idColumns = id.size();
		this.claim = "update " + table + " set " + set + "=?" + row + " and " + version + "=? and (" + set
				+ " is null or " + set + "<=?)";
		this.readLatest = "select " + set + "," + version + " from " + table + row
				+ persister.getFactory().getJdbcServices().getDialect().getForUpdateString();
	}

	/**
	 * Refuses an attribute whose update does not raise the version, because a stale write
	 * of the attribute would go unnoticed. A collection is not refused, because Hibernate
	 * writes a collection separately from the row.
	 */
	private void refuseUnversioned(int property) {
		boolean column = this.persister.getPropertyUpdateability()[property]
				&& !(this.persister.getPropertyTypes()[property] instanceof CollectionType);
		require(!column || this.persister.getPropertyVersionability()[property],
				", and leaves " + this.persister.getPropertyNames()[property]
						+ " out of the version: a write of this attribute does not raise the version, so a "
						+ "transaction that has read the row before could overwrite the new value.",
				"Remove @OptimisticLock(excluded = true) from the attribute.");
	}

	/**
	 * Raises the fence of a row that was just loaded, if the thread or its transaction
	 * holds the lock on {@link FencedVersion#resource()}.
	 */
	void loaded(Object instance, SharedSessionContractImplementor session) {
		EntityEntry entry = entry(instance, session);
		if (entry != null && entry.getStatus() == Status.MANAGED && session.isTransactionInProgress()
				&& !TransactionLeases.all().isEmpty()) {
			leaseAtLoad(instance, session).ifPresent((lease) -> claim(instance, entry, session, lease));
		}
	}

	/**
	 * Raises the fence of a row before a write, unless this transaction has raised the
	 * fence already.
	 */
	long write(Object instance, SharedSessionContractImplementor session) {
		EntityEntry entry = entry(instance, session);
		if (entry == null) {
			throw stateless("update or delete it");
		}
		Claim claim = entry.getExtraState(Claim.class);
		if (claim != null && claim.held) {
			return claim.fence;
		}
		Lease lease = lease(instance, session).orElseThrow(() -> notLocked(instance, session));
		return claim(instance, entry, session, lease);
	}

	/**
	 * The transaction of an insert may update the new row without another check, because
	 * other transactions do not see the row yet.
	 */
	long insert(Object instance, SharedSessionContractImplementor session) {
		long fence = this.lockName.isNew(instance, (parent) -> isNew(parent, session)) ? FENCE_OF_NEW_NAME
				: lease(instance, session).orElseThrow(() -> notLocked(instance, session)).fence();
		EntityEntry entry = entry(instance, session);
		if (entry != null) {
			remember(entry, fence, session);
		}
		else if (this.persister.hasOwnedCollections()) {
			throw stateless("insert it with its collections");
		}
		return fence;
	}

	/**
	 * Refuses the delete if a new row can get the id of the deleted row, because the new
	 * row would begin without a fence.
	 */
	void delete(Object instance, SharedSessionContractImplementor session) {
		write(instance, session);
		if (!LockName.isGenerated(this.persister) && this.persister.getSoftDeleteMapping() == null) {
			throw new IllegalStateException(name() + " must not be deleted: the fence would be deleted with the row, "
					+ "and a former holder of the lock could create the row again. Put @SoftDelete on the entity, or "
					+ "let its id be generated.");
		}
	}

	private long claim(Object instance, EntityEntry entry, SharedSessionContractImplementor session, Lease lease) {
		if (entry.getVersion() == null) {
			throw new IllegalStateException(
					row(entry) + " has no version, so its fence cannot be checked. Set the version column to 0 where "
							+ "it is null.");
		}
		if (entry.getLockMode() == LockMode.PESSIMISTIC_FORCE_INCREMENT) {
			// Hibernate executes its JDBC batch first, because the batch may contain the
			// update that raises the version.
			session.getJdbcCoordinator().executeBatch();
		}
		long fence = lease.fence();
		session.doWork((connection) -> {
			if (!claimed(connection, entry, session, fence)) {
				requireClaimed(connection, entry, session, instance, fence);
			}
		});
		Object[] loaded = entry.getLoadedState();
		if (loaded != null) {
			// Hibernate keeps no loaded state for a read-only entity.
			loaded[this.fenceIndex] = fence;
		}
		this.persister.setValue(instance, this.fenceIndex, fence);
		remember(entry, fence, session);
		return fence;
	}

	private boolean claimed(Connection connection, EntityEntry entry, SharedSessionContractImplementor session,
			long fence) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.claim)) {
			statement.setLong(1, fence);
			this.persister.getIdentifierType().nullSafeSet(statement, entry.getId(), 2, session);
			this.persister.getVersionType().nullSafeSet(statement, entry.getVersion(), 2 + this.idColumns, session);
			statement.setLong(3 + this.idColumns, fence);
			return statement.executeUpdate() > 0;
		}
	}

	/**
	 * A JDBC driver may report zero updated rows if the row already has the fence, which
	 * is no error. The row is read with a row lock, because a plain {@code SELECT} may
	 * see an old snapshot. A refused row is evicted from the second-level cache, so that
	 * a repeated transaction reads the row from the database.
	 */
	private void requireClaimed(Connection connection, EntityEntry entry, SharedSessionContractImplementor session,
			Object instance, long fence) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.readLatest)) {
			this.persister.getIdentifierType().nullSafeSet(statement, entry.getId(), 1, session);
			try (ResultSet row = statement.executeQuery()) {
				long highest = row.next() ? row.getLong(1) : 0;
				if (highest == fence
						&& this.persister.getVersionType().isSame(entry.getVersion(), version(row, session))) {
					return;
				}
				this.cache.evict(entry.getId(), session);
				if (highest > fence) {
					StaleFenceException stale = new StaleFenceException(row(entry), fence, highest);
					throw new OptimisticLockException(stale.getMessage(), stale, instance);
				}
				throw new StaleObjectStateException(this.persister.getEntityName(), entry.getId());
			}
		}
	}

	private Object version(ResultSet row, SharedSessionContractImplementor session) throws SQLException {
		return this.persister.getVersionMapping().getJdbcMapping().getJdbcValueExtractor().extract(row, 2, session);
	}

	/**
	 * Returns empty for an invalid lock name, because an exception would also prevent the
	 * load of other rows.
	 */
	private Optional<Lease> leaseAtLoad(Object instance, SharedSessionContractImplementor session) {
		try {
			return lease(instance, session);
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	private Optional<Lease> lease(Object instance, SharedSessionContractImplementor session) {
		return TransactionLeases.forResource(this.lockName.of(instance, session));
	}

	private IllegalStateException stateless(String write) {
		return new IllegalStateException(
				name() + " is fenced, so a StatelessSession cannot " + write + ". Use an EntityManager.");
	}

	private IllegalStateException notLocked(Object instance, SharedSessionContractImplementor session) {
		Set<String> held = new TreeSet<>();
		TransactionLeases.all().forEach((lease) -> held.addAll(lease.resources()));
		return new IllegalStateException(name() + " is fenced by the lock on " + this.lockName.of(instance, session)
				+ ", and the current thread holds " + (held.isEmpty() ? "no lock" : "only the lock on " + held)
				+ ". The row was not written. Load and flush the entity inside of a method that has @Transactional, "
				+ "and @RedLock on the lock of the entity.");
	}

	private String row(EntityEntry entry) {
		return "The row '" + entry.getId() + "' of " + name();
	}

	private String name() {
		return this.persister.getEntityName();
	}

	private void require(boolean met, String problem, String action) {
		if (!met) {
			throw new InvalidRedLockException(name() + " has @FencedVersion" + problem, action);
		}
	}

	/**
	 * Whether the current transaction has inserted a fenced entity with a generated id.
	 * Hibernate sets the lock mode {@code WRITE} until the end of a transaction that has
	 * written the row, and only an insert writes the fence zero. Claims are not searched,
	 * because Hibernate replaces the entry of the entity during a cascade.
	 */
	private static boolean isNew(Object parent, SharedSessionContractImplementor session) {
		EntityEntry entry = entry(parent, session);
		return entry != null && entry.getLockMode() == LockMode.WRITE && LockName.isGenerated(entry.getPersister())
				&& FenceGenerator.entity(entry.getPersister())
					.map((fenced) -> entry.getLoadedValue(entry.getPersister().getPropertyNames()[fenced.fenceIndex]))
					.filter(FENCE_OF_NEW_NAME::equals)
					.isPresent();
	}

	private static @Nullable EntityEntry entry(Object instance, SharedSessionContractImplementor session) {
		return session.getPersistenceContextInternal().getEntry(instance);
	}

	private static void remember(EntityEntry entry, long fence, SharedSessionContractImplementor session) {
		Claim claim = entry.getExtraState(Claim.class);
		if (claim == null) {
			claim = new Claim();
			entry.addExtraState(claim);
		}
		claim.fence = fence;
		claim.held = true;
		session.accessTransaction().registerSynchronization(claim);
	}

	/**
	 * Stores in Hibernate's {@code EntityEntry} which fence the current transaction has
	 * written into the row.
	 */
	private static final class Claim implements EntityEntryExtraState, Synchronization {

		private long fence;

		private boolean held;

		private @Nullable EntityEntryExtraState next;

		@Override
		public void beforeCompletion() {
		}

		/**
		 * Makes the next transaction raise the fence again, because the database locks
		 * the row only until a transaction ends.
		 */
		@Override
		public void afterCompletion(int status) {
			this.held = false;
		}

		@Override
		public void addExtraState(EntityEntryExtraState state) {
			if (this.next == null) {
				this.next = state;
			}
			else {
				this.next.addExtraState(state);
			}
		}

		/**
		 * Searches only the later states in the list, because the caller has already
		 * checked this state.
		 */
		@Override
		public <T extends EntityEntryExtraState> @Nullable T getExtraState(Class<T> type) {
			if (this.next == null || type.isInstance(this.next)) {
				return type.cast(this.next);
			}
			return this.next.getExtraState(type);
		}

	}

}
