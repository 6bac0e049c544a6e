package dev.redlock.spring.data;

import java.sql.Connection;
import java.util.Map;
import java.util.Optional;

import dev.redlock.Lease;
import dev.redlock.spring.template.TransactionLeases;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationListener;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.relational.core.conversion.MutableAggregateChange;
import org.springframework.data.relational.core.mapping.event.AfterConvertCallback;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.event.BeforeDeleteCallback;
import org.springframework.data.relational.core.mapping.event.BeforeDeleteEvent;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Claims the rows of aggregates with {@link Fenced} for Spring Data JDBC, which calls
 * this bean before each save and delete and after each load. This class is thread-safe.
 */
final class JdbcFencedAggregates implements BeforeConvertCallback<Object>, AfterConvertCallback<Object>,
		BeforeDeleteCallback<Object>, ApplicationListener<BeforeDeleteEvent<?>>, SmartInitializingSingleton {

	private final ObjectProvider<NamedParameterJdbcOperations> operations;

	private final ObjectProvider<JdbcConverter> converters;

	private final FencedAggregates aggregates;

	/**
	 * Creates the callbacks. The beans are looked up when the first fenced aggregate is
	 * used.
	 * @param operations the access to the database of the aggregates
	 * @param converters the converter of Spring Data JDBC
	 * @param dialects the dialect of the database
	 */
	public JdbcFencedAggregates(ObjectProvider<NamedParameterJdbcOperations> operations,
			ObjectProvider<JdbcConverter> converters, ObjectProvider<JdbcDialect> dialects) {
		this.operations = operations;
		this.converters = converters;
		this.aggregates = new FencedAggregates((type) -> new FencedAggregate(type, converters.getObject(),
				dialects.getObject().getIdentifierProcessing()));
	}

	/**
	 * Reads the fenced aggregates, so that startup fails if the mapping of one has a
	 * mistake.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.converters.ifUnique(this.aggregates::check);
	}

	/**
	 * Claims the row before a save, or refuses the save. A new row gets the fence.
	 */
	@Override
	public Object onBeforeConvert(Object aggregate) {
		FencedAggregate fenced = this.aggregates.find(aggregate.getClass());
		if (fenced == null) {
			return aggregate;
		}
		if (fenced.isInsertWithId(aggregate)) {
			throw fenced.unexpectedId(aggregate, latest(fenced, aggregate));
		}
		return fenced.isInsertWithoutId(aggregate) ? fenced.withFence(aggregate, 0) : write(fenced, aggregate);
	}

	/**
	 * Claims the row of an aggregate that was just loaded, if the thread or its
	 * transaction holds its lock and the transaction may write.
	 */
	@Override
	public Object onAfterConvert(Object aggregate) {
		FencedAggregate fenced = this.aggregates.find(aggregate.getClass());
		if (fenced == null || TransactionLeases.all().isEmpty() || !isTransactional()
				|| TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			return aggregate;
		}
		return leaseAtLoad(fenced, aggregate).map((lease) -> fenced.isNew(aggregate) ? withoutVersion(fenced, aggregate)
				: claim(fenced, aggregate, lease.fence()))
			.orElse(aggregate);
	}

	/**
	 * Claims the row before a delete, or refuses the delete.
	 */
	@Override
	public Object onBeforeDelete(Object aggregate, MutableAggregateChange<Object> change) {
		FencedAggregate fenced = this.aggregates.find(aggregate.getClass());
		if (fenced == null) {
			return aggregate;
		}
		fenced.requireDeletable();
		return write(fenced, aggregate);
	}

	/**
	 * Refuses a delete by id, for which Spring Data calls no callback.
	 */
	@Override
	public void onApplicationEvent(BeforeDeleteEvent<?> event) {
		if (event.getEntity() == null && this.aggregates.find(event.getType()) != null) {
			throw new IllegalStateException(event.getType().getName() + " is fenced, so it cannot be deleted by its "
					+ "id. Load the aggregate and delete it in a transaction under its lock.");
		}
	}

	/**
	 * The listener refuses by an exception, so it must run on the thread of the delete.
	 */
	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

	/**
	 * Refuses a row without a version. A projection without the version is returned
	 * unchanged.
	 */
	private Object withoutVersion(FencedAggregate fenced, Object aggregate) {
		FencedAggregate.Latest latest = latest(fenced, aggregate);
		if (latest != null) {
			fenced.requireVersion(aggregate, latest);
		}
		return aggregate;
	}

	/**
	 * Returns the lease for a loaded row. If the values of the row make no valid lock
	 * name, the result is empty. Only a write is refused in this case, because a query
	 * may load the row together with other rows. A projection may not contain the id.
	 */
	private static Optional<Lease> leaseAtLoad(FencedAggregate fenced, Object aggregate) {
		if (fenced.hasNoId(aggregate)) {
			return Optional.empty();
		}
		try {
			return TransactionLeases.forResource(fenced.resource(aggregate));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	private Object write(FencedAggregate fenced, Object aggregate) {
		Lease lease = TransactionLeases.forResource(fenced.resource(aggregate))
			.orElseThrow(() -> fenced.notLocked(aggregate, "thread", TransactionLeases.all()));
		if (!isTransactional()) {
			throw fenced.noTransaction();
		}
		return claim(fenced, aggregate, lease.fence());
	}

	private Object claim(FencedAggregate fenced, Object aggregate, long fence) {
		if (fenced.isNew(aggregate) || this.operations.getObject()
			.update(fenced.claim(),
					Map.of("id", fenced.id(aggregate), "version", fenced.version(aggregate), "fence", fence)) == 0) {
			fenced.requireClaimed(aggregate, fence, latest(fenced, aggregate));
		}
		return fenced.withFence(aggregate, fence);
	}

	private FencedAggregate.@Nullable Latest latest(FencedAggregate fenced, Object aggregate) {
		return this.operations.getObject()
			.query(fenced.readLatest(), Map.of("id", fenced.id(aggregate)),
					(row, number) -> new FencedAggregate.Latest(row.getLong(1),
							(Long) JdbcUtils.getResultSetValue(row, 2, Long.class)))
			.stream()
			.findFirst()
			.orElse(null);
	}

	/**
	 * Whether a transaction is open on this connection. The connection is checked too,
	 * because the transaction may belong to another transaction manager.
	 */
	private boolean isTransactional() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& Boolean.FALSE.equals(this.operations.getObject()
					.getJdbcOperations()
					.execute((ConnectionCallback<Boolean>) Connection::getAutoCommit));
	}

}
