package dev.redlock.test.lateholder;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ObjectUtils;

/**
 * Makes each statement and each commit of a JDBC connection a step at which
 * {@link LateHolder} may freeze the call.
 */
final class JdbcSteps {

	private final Steps steps;

	/**
	 * If one {@code DataSource} bean delegates to another, a database access must count
	 * only once.
	 */
	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	JdbcSteps(Steps steps) {
		this.steps = steps;
	}

	Object watch(Object bean) {
		return !(bean instanceof DataSource) ? bean : Proxies.around(bean, (call) -> {
			Object result = call.proceed();
			return (result instanceof Connection connection) ? watched(connection) : result;
		});
	}

	private Connection watched(Connection target) {
		Transaction transaction = new Transaction();
		return Proxies.create(Connection.class, target, (call) -> switch (call.getMethod().getName()) {
			case "createStatement", "prepareStatement", "prepareCall" ->
				statement(call, target, ((ProxyMethodInvocation) call).getProxy(), transaction);
			case "commit" -> step("commit", call, transaction, (touch, none) -> transaction.committed(touch));
			case "rollback" -> {
				if (call.getArguments().length == 0) {
					transaction.rolledBack();
				}
				yield call.proceed();
			}
			default -> call.proceed();
		});
	}

	private Object statement(MethodInvocation creation, Connection connection, Object proxy, Transaction transaction)
			throws Throwable {
		Statement statement = (Statement) Objects.requireNonNull(creation.proceed());
		return Proxies.create(creation.getMethod().getReturnType(), statement, (call) -> {
			if (call.getMethod().getName().startsWith("execute")) {
				String text = sql(call, sql(creation, "batch"));
				return step(Sql.shorten(text), call, transaction, (touch, result) -> {
					if (Sql.writes(text) && changed(statement, result)) {
						transaction.wrote(touch, connection.getAutoCommit());
					}
				});
			}
			return call.getMethod().getName().equals("getConnection") ? proxy : call.proceed();
		});
	}

	private @Nullable Object step(String name, MethodInvocation call, Transaction transaction, After after)
			throws Throwable {
		if (this.inside.get()) {
			return call.proceed();
		}
		Touch touch = this.steps.begin(name, transaction);
		this.inside.set(true);
		try {
			Object result = call.proceed();
			after.report(touch, result);
			return result;
		}
		finally {
			this.inside.remove();
		}
	}

	private static String sql(MethodInvocation call, String otherwise) {
		return (call.getArguments().length > 0 && call.getArguments()[0] instanceof String text) ? text : otherwise;
	}

	/**
	 * Returns true for a statement that returns its written rows, because such a
	 * statement has no update count.
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

	private interface After {

		void report(Touch touch, @Nullable Object result) throws SQLException;

	}

}
