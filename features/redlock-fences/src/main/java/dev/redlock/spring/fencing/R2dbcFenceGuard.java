package dev.redlock.spring.fencing;

import dev.redlock.CurrentLease;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.TransactionLeases;
import reactor.core.publisher.Mono;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * Guards the rows of a table by a fence that each row keeps in a column. This class is
 * the reactive form of {@link JdbcFenceGuard}, which describes the guarantees of a claim.
 * <p>
 * Claims take part in the current transaction of the flow, if any, and the row stays
 * locked until the transaction ends. This class is thread-safe.
 */
public final class R2dbcFenceGuard {

	private final DatabaseClient client;

	private final String table;

	private final String claim;

	private final String readLatest;

	/**
	 * Creates a guard.
	 * @param client the access to the database
	 * @param table the name of the table, with catalog and schema if needed
	 * @param idColumn the column that identifies a row
	 * @param fenceColumn the column that keeps the fence
	 * @throws IllegalArgumentException if a name has other characters than letters,
	 * digits and underscores
	 */
	public R2dbcFenceGuard(DatabaseClient client, String table, String idColumn, String fenceColumn) {
		this.client = client;
		this.table = JdbcFenceGuard.name("table", JdbcFenceGuard.QUALIFIED_NAME, table);
		String row = " WHERE " + JdbcFenceGuard.name("column", JdbcFenceGuard.NAME, idColumn) + " = :id";
		String fence = JdbcFenceGuard.name("column", JdbcFenceGuard.NAME, fenceColumn);
		this.claim = "UPDATE " + table + " SET " + fence + " = :fence" + row + " AND (" + fence + " IS NULL OR " + fence
				+ " <= :fence)";
		this.readLatest = "SELECT " + fence + " FROM " + table + row + " FOR UPDATE";
	}

	/**
	 * Refuses all holders with a smaller fence for a row, from the subscription on.
	 * @param id the value that identifies the row
	 * @param fence the fence of the lease
	 * @return completes with the claim; fails with a {@link StaleFenceException} if a
	 * later holder has claimed the row, and with an
	 * {@link EmptyResultDataAccessException} if no row has this id
	 */
	public Mono<Void> claim(Object id, long fence) {
		FencedResource.requireFence(fence);
		return this.client.sql(this.claim)
			.bind("id", id)
			.bind("fence", fence)
			.fetch()
			.rowsUpdated()
			.filter((rows) -> rows == 0)
			.flatMap((none) -> requireClaimed(id, fence));
	}

	/**
	 * Claims a row like {@link #claim(Object, long)}, with the fence of a lock that the
	 * flow, its transaction, or the subscribing thread holds. In nested calls, each name
	 * has its own fence.
	 * @param id the value that identifies the row
	 * @param lock the name of the lock that guards the row
	 * @return completes with the claim; fails like {@link #claim(Object, long)}, and with
	 * an {@link IllegalStateException} if neither the flow nor the thread holds the lock
	 */
	public Mono<Void> claim(Object id, String lock) {
		return ReactiveCurrentLease.allOfTransaction()
			.flatMap((leases) -> Mono
				.justOrEmpty(TransactionLeases.find(leases, lock).or(() -> CurrentLease.forResource(lock))))
			.switchIfEmpty(ReactiveCurrentLease.require(lock))
			.flatMap((lease) -> claim(id, lease.fence()));
	}

	/**
	 * Finds out why no row was updated. A driver may count only changed rows, and a claim
	 * with the same fence changes no row. The read locks the row, because a plain read
	 * may see an old snapshot.
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
