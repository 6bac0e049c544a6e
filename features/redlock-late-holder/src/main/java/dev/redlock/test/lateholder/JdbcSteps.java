package dev.redlock.test.lateholder;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

import javax.sql.DataSource;

import dev.redlock.test.lateholder.Proxies.Target;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Makes each statement and each commit of a JDBC connection a step.
 */
final class JdbcSteps {

	private final Steps steps;

	/**
	 * Whether the thread is inside a watched call, because one data source bean may use
	 * another.
	 */
	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	JdbcSteps(Steps steps) {
		this.steps = steps;
	}

	/**
	 * Watches a bean if it is a data source.
	 * @return the bean to use instead
	 */
	Object watch(Object bean) {
		return !(bean instanceof DataSource) ? bean : Proxies.around(bean, (call) -> {
			Object result = call.proceed();
			return (result instanceof Connection connection) ? watched(connection) : result;
		});
	}

	private Connection watched(Connection connection) {
		WatchedConnection watched = new WatchedConnection(connection);
		Connection proxy = Proxies.create(Connection.class, connection, watched::handle);
		watched.proxy = proxy;
		return proxy;
	}

	private @Nullable Object step(String name, Target target, After after) throws Throwable {
		if (this.inside.get()) {
			return target.proceed();
		}
		Touch touch = this.steps.begin(name);
		this.inside.set(true);
		try {
			Object result = target.proceed();
			after.report(touch, result);
			return result;
		}
		finally {
			this.inside.remove();
		}
	}

	private static String sql(Object[] args, String otherwise) {
		return (args.length > 0 && args[0] instanceof String text) ? text : otherwise;
	}

	/**
	 * Reports the effect of a call.
	 */
	private interface After {

		void report(Touch touch, @Nullable Object result) throws SQLException;

	}

	private final class WatchedConnection {

		private final Connection target;

		private final Transaction transaction = new Transaction();

		private @Nullable Connection proxy;

		private WatchedConnection(Connection target) {
			this.target = target;
		}

		private @Nullable Object handle(Method method, Object[] args, Target call) throws Throwable {
			return switch (method.getName()) {
				case "createStatement", "prepareStatement", "prepareCall" ->
					watch(method.getReturnType(), (Statement) call.proceed(), sql(args, "batch"));
				case "commit" -> step("commit", call, (touch, none) -> this.transaction.committed(touch));
				case "rollback" -> {
					if (args.length == 0) {
						this.transaction.rolledBack(JdbcSteps.this.steps.note());
					}
					yield call.proceed();
				}
				default -> call.proceed();
			};
		}

		private Object watch(Class<?> type, @Nullable Statement statement, String prepared) {
			return Proxies.create(type, statement, (method, args, call) -> {
				if (method.getName().startsWith("execute")) {
					String text = sql(args, prepared);
					return step(Sql.shorten(text), call, (touch, result) -> executed(touch, text, statement, result));
				}
				return method.getName().equals("getConnection") ? this.proxy : call.proceed();
			});
		}

		private void executed(Touch touch, String text, @Nullable Statement statement, @Nullable Object result)
				throws SQLException {
			if (statement != null && Sql.writes(text) && changed(statement, result)) {
				this.transaction.wrote(touch, this.target.getAutoCommit());
			}
		}

		/**
		 * Whether a row was changed. A statement that returns its written rows has a
		 * result set.
		 */
		private static boolean changed(Statement statement, @Nullable Object result) throws SQLException {
			if (result instanceof Number count) {
				return count.longValue() != 0;
			}
			if (ObjectUtils.isArray(result)) {
				return Arrays.stream(ObjectUtils.toObjectArray(result))
					.anyMatch((count) -> ((Number) count).longValue() != 0);
			}
			return !Boolean.FALSE.equals(result) || statement.getUpdateCount() != 0;
		}

	}

}
