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
 * Checks and raises the fences of aggregates with {@link Fenced} for Spring Data JDBC,
 * before each save and delete and after each load.
 */
final class JdbcFencedAggregates implements BeforeConvertCallback<Object>, AfterConvertCallback<Object>,
		BeforeDeleteCallback<Object>, ApplicationListener<BeforeDeleteEvent<?>>, SmartInitializingSingleton {

	private final ObjectProvider<NamedParameterJdbcOperations> operations;

	private final ObjectProvider<JdbcConverter> converters;

	private final FencedAggregates aggregates;

	public JdbcFencedAggregates(ObjectProvider<NamedParameterJdbcOperations> operations,
			ObjectProvider<JdbcConverter> converters, ObjectProvider<JdbcDialect> dialects) {
		this.operations = operations;
		this.converters = converters;
		this.aggregates = new FencedAggregates((type) -> new FencedAggregate(type, converters.getObject(),
				dialects.getObject().getIdentifierProcessing()));
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.converters.ifUnique(this.aggregates::check);
	}

	/**
	 * Raises the fence of the row, or refuses the save.
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
	 * Raises the fence of a loaded row if the transaction may write and the caller holds
	 * the lock on {@link Fenced#resource()}.
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
	 * Refuses {@code deleteById}, for which Spring Data publishes an event but calls no
	 * callback.
	 */
	@Override
	public void onApplicationEvent(BeforeDeleteEvent<?> event) {
		if (event.getEntity() == null && this.aggregates.find(event.getType()) != null) {
			throw new IllegalStateException(event.getType().getName() + " is fenced, so it cannot be deleted by its "
					+ "id. Load the aggregate and delete it in a transaction under its lock.");
		}
	}

	/**
	 * The listener must run on the thread that deletes, so that its exception prevents
	 * the delete.
	 */
	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

	/**
	 * Refuses a loaded row without a version, but not a projection that leaves the
	 * version out.
	 */
	private Object withoutVersion(FencedAggregate fenced, Object aggregate) {
		FencedAggregate.Latest latest = latest(fenced, aggregate);
		if (latest != null) {
			fenced.requireVersion(aggregate, latest);
		}
		return aggregate;
	}

	/**
	 * Returns empty for an invalid lock name, because an exception would also prevent the
	 * load of other rows.
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
			.update(fenced.claimSql(),
					Map.of("id", fenced.id(aggregate), "version", fenced.version(aggregate), "fence", fence)) == 0) {
			fenced.requireClaimed(aggregate, fence, latest(fenced, aggregate));
		}
		return fenced.withFence(aggregate, fence);
	}

	private FencedAggregate.@Nullable Latest latest(FencedAggregate fenced, Object aggregate) {
		return this.operations.getObject()
			.query(fenced.readLatestSql(), Map.of("id", fenced.id(aggregate)),
					(row, number) -> new FencedAggregate.Latest(row.getLong(1),
							(Long) JdbcUtils.getResultSetValue(row, 2, Long.class)))
			.stream()
			.findFirst()
			.orElse(null);
	}

	/**
	 * The connection itself must be in a transaction, because the current transaction may
	 * belong to another database.
	 */
	private boolean isTransactional() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& Boolean.FALSE.equals(this.operations.getObject()
					.getJdbcOperations()
					.execute((ConnectionCallback<Boolean>) Connection::getAutoCommit));
	}

}
