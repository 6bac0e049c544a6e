package dev.redlock.spring.fencing;

import dev.redlock.Lease;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.TransactionLeases;
import reactor.core.publisher.Mono;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * The reactive form of {@link JdbcFenceGuard}, whose Javadoc describes how to guard rows
 * of a table by fences.
 * <p>
 * The update of the fence is part of the reactive flow's transaction, if any, and the
 * database locks the row until the transaction ends. This class is thread-safe.
 */
public final class R2dbcFenceGuard {

	private final DatabaseClient client;

	private final String table;

	private final ClaimTransactions transactions;

	private final String claim;

	private final String readLatest;

	/**
	 * Creates a guard.
	 * @param table the name of the guarded table, with catalog and schema if needed
	 * @param idColumn the name of the column that identifies a row
	 * @param fenceColumn the name of the column that stores the fence of a row
	 */
	public R2dbcFenceGuard(DatabaseClient client, String table, String idColumn, String fenceColumn) {
		this.client = client;
		this.table = JdbcFenceGuard.name("table", JdbcFenceGuard.QUALIFIED_NAME, table);
		this.transactions = new ClaimTransactions(table);
		String row = " WHERE " + JdbcFenceGuard.name("column", JdbcFenceGuard.NAME, idColumn) + " = :id";
		String fence = JdbcFenceGuard.name("column", JdbcFenceGuard.NAME, fenceColumn);
		this.claim = "UPDATE " + table + " SET " + fence + " = :fence" + row + " AND (" + fence + " IS NULL OR " + fence
				+ " <= :fence)";
		this.readLatest = "SELECT " + fence + " FROM " + table + row + " FOR UPDATE";
	}

	/**
	 * Raises the fence of a row on subscription, so that all lock holders with a smaller
	 * fence are refused.
	 * @return a {@code Mono} that fails with a {@link StaleFenceException} if the row has
	 * a higher fence, and with an {@link EmptyResultDataAccessException} if no row has
	 * this id
	 */
	public Mono<Void> claim(Object id, long fence) {
		FencedResource.requireFence(fence);
		return this.client.inConnection((connection) -> {
			this.transactions.claimed(connection.isAutoCommit());
			return Mono.<Long>empty();
		})
			.switchIfEmpty(this.client.sql(this.claim).bind("id", id).bind("fence", fence).fetch().rowsUpdated())
			.filter((rows) -> rows == 0)
			.flatMap((none) -> requireClaimed(id, fence));
	}

	/**
	 * Calls {@link #claim(Object, long)} with the fence of a lock that the reactive flow,
	 * its transaction, or the subscribing thread holds.
	 * @return a {@code Mono} that fails with an {@link IllegalStateException} if neither
	 * the flow nor the thread holds the lock
	 */
	public Mono<Void> claim(Object id, String lock) {
		return ReactiveCurrentLease.allOfTransaction()
			.<Lease>handle((leases, sink) -> TransactionLeases.find(leases, lock)
				.or(() -> TransactionLeases.forResource(lock))
				.ifPresent(sink::next))
			.switchIfEmpty(ReactiveCurrentLease.require(lock))
			.flatMap((lease) -> claim(id, lease.fence()));
	}

	/**
	 * A driver may report zero updated rows if the row already has the fence, which is no
	 * error. The row is read with {@code FOR UPDATE}, because a plain {@code SELECT} may
	 * see an old snapshot.
	 */
	private Mono<Void> requireClaimed(Object id, long fence) {
		return this.client.sql(this.readLatest).bind("id", id).map((row) -> {
			Long highest = row.get(0, Long.class);
			return (highest != null) ? highest : 0;
		}).one().switchIfEmpty(Mono.error(() -> JdbcFenceGuard.noRow(this.table, id))).doOnNext((highest) -> {
			if (highest != fence) {
				throw new StaleFenceException("The row '" + id + "' of " + this.table, fence, highest);
			}
		}).then();
	}

}
