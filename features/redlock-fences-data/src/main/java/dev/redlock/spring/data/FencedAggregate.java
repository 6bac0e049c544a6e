package dev.redlock.spring.data;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.conversion.RelationalConverter;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * The SQL statements that check and raise the fence of a {@link Fenced} aggregate's row,
 * and the evaluation of their results. One conditional update raises the fence and locks
 * the row until the transaction ends, so no other transaction changes the version.
 */
final class FencedAggregate {

	private final RelationalConverter converter;

	private final RelationalPersistentEntity<?> entity;

	private final RelationalPersistentProperty id;

	private final RelationalPersistentProperty version;

	private final RelationalPersistentProperty fence;

	private final Fenced annotation;

	private final String claim;

	private final String readLatest;

	/**
	 * @throws InvalidRedLockException if the mapping of the aggregate does not allow a
	 * fence
	 */
	FencedAggregate(Class<?> type, RelationalConverter converter, IdentifierProcessing quotes) {
		this.converter = converter;
		this.entity = converter.getMappingContext().getRequiredPersistentEntity(type);
		Iterator<? extends RelationalPersistentProperty> fences = this.entity.getPersistentProperties(Fenced.class)
			.iterator();
		require(fences.hasNext(), " on a property that is not stored.", "Put @Fenced on a stored property.");
		this.fence = fences.next();
		require(!fences.hasNext(), " on several properties.", "Keep @Fenced on one property.");
		require(this.fence.getType() == Long.class, " on a property that is not a Long.",
				"Make " + this.fence.getName() + " a Long.");
		require(this.entity.hasVersionProperty(), ", but no property with @Version.",
				"Add a property with @Version: the fence distinguishes leases, and the version distinguishes the "
						+ "writes of one lease.");
		this.version = this.entity.getRequiredVersionProperty();
		require(this.entity.hasIdProperty() && !this.entity.getRequiredIdProperty().isEntity(),
				", but no property with @Id that is stored in one column.",
				"Give the aggregate an id that is stored in one column.");
		this.id = this.entity.getRequiredIdProperty();
		this.annotation = this.fence.getRequiredAnnotation(Fenced.class);
		require(!resource("").contains("#{"),
				" and names its lock by a property that may change: " + this.annotation.resource() + ".",
				"Name the lock by the id, as in order:#{" + this.id.getName()
						+ "}, because fences of different locks cannot be compared.");
		Function<SqlIdentifier, String> sql = (name) -> name.toSql(quotes);
		String table = sql.apply(this.entity.getQualifiedTableName());
		String set = sql.apply(this.fence.getColumnName());
		String counter = sql.apply(this.version.getColumnName());
		String row = " WHERE " + sql.apply(this.id.getColumnName()) + " = :id";
		this.claim = "UPDATE " + table + " SET " + set + " = :fence" + row + " AND " + counter + " = :version AND ("
				+ set + " IS NULL OR " + set + " <= :fence)";
		this.readLatest = "SELECT " + set + ", " + counter + " FROM " + table + row + " FOR UPDATE";
	}

	String claimSql() {
		return this.claim;
	}

	/**
	 * The row is read with {@code FOR UPDATE}, because a plain {@code SELECT} may see an
	 * old snapshot.
	 */
	String readLatestSql() {
		return this.readLatest;
	}

	String resource(Object instance) {
		Object id = value(instance, this.id);
		if (id == null) {
			// Spring Data ignores an IllegalArgumentException whose message begins with
			// the aggregate's class name, so an IllegalStateException is thrown.
			throw new IllegalStateException(name() + " is fenced by the lock on " + this.annotation.resource()
					+ ", and " + this.id.getName() + " has no value yet. Set the id before the save, or let the "
					+ "database generate it and remove assignedId = true.");
		}
		return resource(id.toString());
	}

	private String resource(String id) {
		return this.annotation.resource().replace("#{" + this.id.getName() + "}", id);
	}

	/**
	 * Whether Spring Data regards the aggregate as new, which Spring Data decides by the
	 * version.
	 */
	boolean isNew(Object instance) {
		return this.entity.isNew(instance);
	}

	/**
	 * An insert with a generated id needs no lock, because other transactions cannot know
	 * the row.
	 */
	boolean isInsertWithoutId(Object instance) {
		return !this.annotation.assignedId() && hasNoId(instance);
	}

	/**
	 * Whether Spring Data would insert an aggregate that already has a generated id. A
	 * stored row without a version counts as new for Spring Data.
	 */
	boolean isInsertWithId(Object instance) {
		return !this.annotation.assignedId() && !hasNoId(instance) && isNew(instance);
	}

	/**
	 * Refuses a delete if the application assigns ids, because a later row with the
	 * deleted row's id would begin without a fence.
	 */
	void requireDeletable() {
		if (this.annotation.assignedId()) {
			throw new IllegalStateException(name() + " must not be deleted: the fence would be deleted with the row, "
					+ "and a former holder of the lock could create the row again. Mark the row as deleted in a "
					+ "column, or let the database generate its id.");
		}
	}

	Object id(Object instance) {
		return Objects
			.requireNonNull(this.converter.writeValue(value(instance, this.id), this.id.getTypeInformation()));
	}

	long version(Object instance) {
		Object read = value(instance, this.version);
		if (read == null) {
			throw noVersion(instance);
		}
		return ((Number) read).longValue();
	}

	Object withFence(Object instance, long fence) {
		PersistentPropertyAccessor<Object> accessor = this.entity.getPropertyAccessor(instance);
		accessor.setProperty(this.fence, fence);
		return accessor.getBean();
	}

	/**
	 * Throws an exception if the row was deleted, or has a higher fence or another
	 * version. A driver may report zero updated rows if the row already has the fence,
	 * which is no error.
	 */
	void requireClaimed(Object instance, long fence, @Nullable Latest latest) {
		if (latest == null) {
			if (!isNew(instance)) {
				throw new OptimisticLockingFailureException(row(instance) + " does not exist any more.");
			}
			return;
		}
		if (latest.fence() > fence) {
			StaleFenceException stale = new StaleFenceException(row(instance), fence, latest.fence());
			throw new OptimisticLockingFailureException(stale.getMessage(), stale);
		}
		if (isNew(instance)) {
			requireVersion(instance, latest);
		}
		if (isNew(instance) || latest.fence() < fence || !Objects.equals(latest.version(), version(instance))) {
			throw new OptimisticLockingFailureException(row(instance)
					+ " has changed since it was read: another transaction has written the row. Load the row again "
					+ "and repeat the work.");
		}
	}

	IllegalStateException unexpectedId(Object instance, @Nullable Latest latest) {
		if (latest != null) {
			requireVersion(instance, latest);
		}
		return new IllegalStateException(name() + " is new and has the id " + value(instance, this.id)
				+ ", but its @Fenced expects that the database generates the id. Leave the id empty, or set"
				+ " assignedId = true.");
	}

	IllegalStateException notLocked(Object instance, String holder, List<Lease> leases) {
		Set<String> held = new TreeSet<>();
		leases.forEach((lease) -> held.addAll(lease.resources()));
		return new IllegalStateException(name() + " is fenced by the lock on " + resource(instance)
				+ ", and the current " + holder + " holds " + (held.isEmpty() ? "no lock" : "only the lock on " + held)
				+ ". The row was not written. Load and save the aggregate inside of a method that has "
				+ "@Transactional, and @RedLock on the lock of the aggregate.");
	}

	IllegalStateException noTransaction() {
		return new IllegalStateException(name() + " is fenced, so it can be written only in a transaction: the check "
				+ "of the fence has to last until the commit. The row was not written. Put @Transactional on the "
				+ "method with @RedLock, with a transaction manager for the same database.");
	}

	/**
	 * Refuses a stored row whose version is null, or 0 if primitive, because Spring Data
	 * would regard the row as new.
	 */
	void requireVersion(Object instance, Latest latest) {
		if (latest.version() == null || (this.version.getType().isPrimitive() && latest.version() == 0)) {
			throw noVersion(instance);
		}
	}

	private IllegalStateException noVersion(Object instance) {
		return new IllegalStateException(
				row(instance) + " has no version, so its fence cannot be checked. Set the version column to "
						+ (this.version.getType().isPrimitive() ? "1 where it is null or 0." : "0 where it is null."));
	}

	boolean hasNoId(Object instance) {
		Object id = value(instance, this.id);
		return id == null || (this.id.getType().isPrimitive() && ((Number) id).longValue() == 0);
	}

	private String row(Object instance) {
		return "The row '" + value(instance, this.id) + "' of " + name();
	}

	private String name() {
		return this.entity.getName();
	}

	private @Nullable Object value(Object instance, RelationalPersistentProperty property) {
		return this.entity.getPropertyAccessor(instance).getProperty(property);
	}

	private void require(boolean met, String problem, String action) {
		if (!met) {
			throw new InvalidRedLockException(name() + " has @Fenced" + problem, action);
		}
	}

	/**
	 * The current fence (0 for NULL) and version of a row in the database.
	 */
	record Latest(long fence, @Nullable Long version) {

	}

}
