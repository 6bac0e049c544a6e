package dev.redlock.spring.fencing;

import java.sql.PreparedStatement;
import java.util.List;
import java.util.regex.Pattern;

import dev.redlock.spring.template.TransactionLeases;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Refuses database writes of a process that has lost its lock, by comparing the lock's
 * fence with a fence column of the row.
 * <p>
 * <b>Call {@link #claim} before any other statement that uses the row.</b> {@code claim}
 * raises the fence of the row in one atomic statement. Guard every write, too: add
 * {@code AND fence = ?} to the condition of the write, or call {@code claim} again in the
 * transaction of the write. Without a check in the write, a former lock holder could
 * overwrite the data.
 * <p>
 * Always guard a row by the same lock name, because fences of different locks cannot be
 * compared. The fence column holds a 64-bit integer, or {@code NULL} before the first
 * {@code claim}. The update of the fence is part of the current transaction, if any, and
 * the database locks the row until the transaction ends. The first {@code claim} without
 * a transaction logs a warning. This class is thread-safe.
 */
public final class JdbcFenceGuard {

	/**
	 * Only plain names of tables and columns are allowed, because SQL takes no parameters
	 * for names.
	 */
	static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

	static final Pattern QUALIFIED_NAME = Pattern.compile(NAME + "(\\." + NAME + "){0,2}");

	private static final long NO_ROW = -1;

	private final JdbcOperations jdbc;

	private final String table;

	private final ClaimTransactions transactions;

	private final String claim;

	private final String read;

	private final String readLatest;

	/**
	 * Creates a guard.
	 * @param table the name of the guarded table, with catalog and schema if needed
	 * @param idColumn the name of the column that identifies a row
	 * @param fenceColumn the name of the column that stores the fence of a row
	 * @throws IllegalArgumentException if the name of the table or a column has
	 * characters other than letters, digits and underscores
	 */
	public JdbcFenceGuard(JdbcOperations jdbc, String table, String idColumn, String fenceColumn) {
		this.jdbc = jdbc;
		this.table = name("table", QUALIFIED_NAME, table);
		this.transactions = new ClaimTransactions(table);
		String id = name("column", NAME, idColumn);
		String fence = name("column", NAME, fenceColumn);
		this.claim = "UPDATE " + table + " SET " + fence + " = ? WHERE " + id + " = ? AND (" + fence + " IS NULL OR "
				+ fence + " <= ?)";
		this.read = "SELECT " + fence + " FROM " + table + " WHERE " + id + " = ?";
		this.readLatest = this.read + " FOR UPDATE";
	}

	/**
	 * Raises the fence of a row, so that all lock holders with a smaller fence are
	 * refused from now on.
	 * @throws StaleFenceException if the row has a higher fence
	 * @throws EmptyResultDataAccessException if no row has this id
	 */
	public void claim(Object id, long fence) {
		FencedResource.requireFence(fence);
		if (update(fence, id, fence) > 0) {
			return;
		}
		long highest = highest(this.read, id);
		if (highest <= fence) {
			// A driver may report no updated row if the row already has the fence. A
			// plain read may see an old snapshot, as on MySQL, so the row is read again
			// with FOR UPDATE.
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
	 * Calls {@link #claim(Object, long)} with the fence of a lock that the current thread
	 * or its transaction holds.
	 * @throws IllegalStateException if neither the thread nor its transaction holds the
	 * lock
	 */
	public void claim(Object id, String lock) {
		claim(id, TransactionLeases.require(lock).fence());
	}

	private int update(Object... arguments) {
		return this.jdbc.update((connection) -> {
			this.transactions.claimed(connection.getAutoCommit());
			PreparedStatement statement = connection.prepareStatement(this.claim);
			new ArgumentPreparedStatementSetter(arguments).setValues(statement);
			return statement;
		});
	}

	/**
	 * Returns the fence of a row: 0 for NULL, and {@link #NO_ROW} if the row does not
	 * exist.
	 */
	private long highest(String statement, Object id) {
		List<Long> rows = this.jdbc.query(statement, (row, number) -> row.getLong(1), id);
		return rows.isEmpty() ? NO_ROW : rows.get(0);
	}

	static EmptyResultDataAccessException noRow(String table, Object id) {
		return new EmptyResultDataAccessException("The table " + table + " has no row '" + id
				+ "' in which the fence can be written. Insert the row first, with the fence 0.", 1);
	}

	static String name(String what, Pattern pattern, String name) {
		if (!pattern.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' cannot be the name of a " + what
					+ ": only letters, digits and underscores are allowed, and no quotes.");
		}
		return name;
	}

}
