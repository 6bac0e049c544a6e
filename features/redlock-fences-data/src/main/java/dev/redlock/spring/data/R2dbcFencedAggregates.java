package dev.redlock.spring.data;

import java.util.Optional;

import dev.redlock.Lease;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.TransactionLeases;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Checks and raises the fences of aggregates with {@link Fenced} for Spring Data R2DBC,
 * before each save. A load does not raise the fence, because its connection is still busy
 * with the rows of the query.
 */
final class R2dbcFencedAggregates implements BeforeConvertCallback<Object>, SmartInitializingSingleton {

	private final ObjectProvider<R2dbcEntityTemplate> templates;

	private final FencedAggregates aggregates;

	public R2dbcFencedAggregates(ObjectProvider<R2dbcEntityTemplate> templates) {
		this.templates = templates;
		this.aggregates = new FencedAggregates((type) -> {
			R2dbcEntityTemplate template = templates.getObject();
			return new FencedAggregate(type, template.getConverter(),
					DialectResolver.getDialect(template.getDatabaseClient().getConnectionFactory())
						.getIdentifierProcessing());
		});
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.templates.ifUnique((template) -> this.aggregates.check(template.getConverter()));
	}

	/**
	 * Raises the fence of the row, or refuses the save.
	 */
	@Override
	public Publisher<Object> onBeforeConvert(Object aggregate, SqlIdentifier table) {
		FencedAggregate fenced = this.aggregates.find(aggregate.getClass());
		if (fenced == null) {
			return Mono.just(aggregate);
		}
		return Mono.defer(() -> {
			if (fenced.isInsertWithId(aggregate)) {
				return latest(fenced, aggregate)
					.flatMap((latest) -> Mono.error(fenced.unexpectedId(aggregate, latest.orElse(null))));
			}
			return fenced.isInsertWithoutId(aggregate) ? Mono.just(fenced.withFence(aggregate, 0))
					: write(fenced, aggregate);
		});
	}

	/**
	 * Finds the lease inside of {@code handle}, where Reactor restores thread-locals,
	 * such as the tenant that a {@code ResourceNameResolver} needs.
	 */
	private Mono<Object> write(FencedAggregate fenced, Object aggregate) {
		return ReactiveCurrentLease.allOfTransaction()
			.<Lease>handle((leases,
					sink) -> sink.next(TransactionLeases.find(leases, fenced.resource(aggregate))
						.orElseThrow(() -> fenced.notLocked(aggregate, "flow", leases))))
			.flatMap((lease) -> write(fenced, aggregate, lease));
	}

	private Mono<Object> write(FencedAggregate fenced, Object aggregate, Lease lease) {
		return isTransactional().flatMap((transactional) -> transactional ? claim(fenced, aggregate, lease.fence())
				: Mono.error(fenced.noTransaction()));
	}

	private Mono<Object> claim(FencedAggregate fenced, Object aggregate, long fence) {
		Mono<Long> claimed = fenced.isNew(aggregate) ? Mono.just(0L)
				: client().sql(fenced.claimSql())
					.bind("id", fenced.id(aggregate))
					.bind("version", fenced.version(aggregate))
					.bind("fence", fence)
					.fetch()
					.rowsUpdated();
		return claimed.filter((rows) -> rows == 0)
			.flatMap((none) -> latest(fenced, aggregate))
			.doOnNext((latest) -> fenced.requireClaimed(aggregate, fence, latest.orElse(null)))
			.then(Mono.fromSupplier(() -> fenced.withFence(aggregate, fence)));
	}

	private Mono<Optional<FencedAggregate.Latest>> latest(FencedAggregate fenced, Object aggregate) {
		return client().sql(fenced.readLatestSql())
			.bind("id", fenced.id(aggregate))
			.map((row) -> new FencedAggregate.Latest(orZero(number(row.get(0))), number(row.get(1))))
			.one()
			.singleOptional();
	}

	/**
	 * The connection itself must be in a transaction, because the current transaction may
	 * belong to another database.
	 */
	private Mono<Boolean> isTransactional() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.filter(TransactionSynchronizationManager::isActualTransactionActive)
			.flatMap((transaction) -> client().inConnection((connection) -> Mono.just(!connection.isAutoCommit())))
			.onErrorReturn(NoTransactionException.class, false)
			.defaultIfEmpty(false);
	}

	private DatabaseClient client() {
		return this.templates.getObject().getDatabaseClient();
	}

	/**
	 * Converts a number here, because some drivers cannot read an integer column as a
	 * {@code Long}.
	 */
	private static @Nullable Long number(@Nullable Object value) {
		return (value != null) ? ((Number) value).longValue() : null;
	}

	private static long orZero(@Nullable Long value) {
		return (value != null) ? value : 0;
	}

}
