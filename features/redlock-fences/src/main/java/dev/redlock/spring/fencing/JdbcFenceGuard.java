package dev.redlock.spring.fencing;

import java.util.List;
import java.util.regex.Pattern;

import dev.redlock.CurrentLease;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Guards the rows of a table by a fence that each row keeps in a column.
 * <p>
 * <b>Claim first, read after.</b> {@link #claim} raises the fence of the row in one
 * atomic statement, and must be the first statement that uses the row. After a claim, a
 * holder with a smaller fence cannot claim the row. Guard every write, too: add
 * {@code AND fence = ?} to its condition, or claim again in the transaction of the write.
 * Without this second check, a former holder could overwrite the data. The second claim
 * succeeds because fences are unique, so an equal fence belongs to the same holder.
 * <p>
 * One row belongs to one lock name: fences of different names cannot be compared. The
 * column holds a 64-bit integer; {@code NULL} means that the row was never claimed.
 * Claims take part in the current transaction, if any, and the row stays locked until the
 * transaction ends. This class is thread-safe.
 */
public final class JdbcFenceGuard {

	/**
	 * Names of tables and columns cannot be parameters of a statement, so only plain
	 * names are allowed.
	 */
	static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

	static final Pattern QUALIFIED_NAME = Pattern.compile(NAME + "(\\." + NAME + "){0,2}");

	private static final long NO_ROW = -1;

	private final JdbcOperations jdbc;

	private final String table;

	private final String claim;

	private final String read;

	private final String readLatest;

	/**
	 * Creates a guard.
	 * @param jdbc the access to the database
	 * @param table the name of the table, with catalog and schema if needed
	 * @param idColumn the column that identifies a row
	 * @param fenceColumn the column that keeps the fence
	 * @throws IllegalArgumentException if a name has other characters than letters,
	 * digits and underscores
	 */
	public JdbcFenceGuard(JdbcOperations jdbc, String table, String idColumn, String fenceColumn) {
		this.jdbc = jdbc;
		this.table = name("table", QUALIFIED_NAME, table);
		String id = name("column", NAME, idColumn);
		String fence = name("column", NAME, fenceColumn);
		this.claim = "UPDATE " + table + " SET " + fence + " = ? WHERE " + id + " = ? AND (" + fence + " IS NULL OR "
				+ fence + " <= ?)";
		this.read = "SELECT " + fence + " FROM " + table + " WHERE " + id + " = ?";
		this.readLatest = this.read + " FOR UPDATE";
	}

	/**
	 * Refuses all holders with a smaller fence for a row from now on.
	 * @param id the value that identifies the row
	 * @param fence the fence of the lease
	 * @throws StaleFenceException if a later holder has claimed the row
	 * @throws EmptyResultDataAccessException if no row has this id
	 */
	public void claim(Object id, long fence) {
		FencedResource.requireFence(fence);
		if (this.jdbc.update(this.claim, fence, id, fence) > 0) {
			return;
		}
		long highest = highest(this.read, id);
		if (highest <= fence) {
			// A claim without a changed row and without a refusal has two causes: the
			// driver counts only changed rows and a second claim changes no row, or the
			// read saw an old snapshot, as on MySQL. A locking read shows the cause.
			highest = highest(this.readLatest, id);
		}
		if (highest == NO_ROW) {
			throw noRow(this.table, id);
		}
		if (highest != fence) {
			throw new StaleFenceException("The row '" + id + "' of " + this.table, fence, highest);
		}
	}

	/**
	 * Claims a row like {@link #claim(Object, long)}, with the current thread's fence of
	 * a lock. In nested calls, each name has its own fence.
	 * @param id the value that identifies the row
	 * @param lock the name of the lock that guards the row
	 * @throws StaleFenceException if a later holder has claimed the row
	 * @throws EmptyResultDataAccessException if no row has this id
	 * @throws IllegalStateException if the current thread does not hold the lock
	 */
	public void claim(Object id, String lock) {
		claim(id, CurrentLease.require(lock).fence());
	}

	/**
	 * Returns the fence of a row, 0 for a row without a fence.
	 */
	private long highest(String statement, Object id) {
		List<Long> rows = this.jdbc.query(statement, (row, number) -> row.getLong(1), id);
		return rows.isEmpty() ? NO_ROW : rows.get(0);
	}

	static EmptyResultDataAccessException noRow(String table, Object id) {
		return new EmptyResultDataAccessException("The table " + table + " has no row '" + id
				+ "' in which the fence can be written. Insert the row " + "first, with the fence 0.", 1);
	}

	static String name(String what, Pattern pattern, String name) {
		if (!pattern.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' cannot be the name of a " + what
					+ ": only letters, digits and underscores are allowed, and no quotes.");
		}
		return name;
	}

}
