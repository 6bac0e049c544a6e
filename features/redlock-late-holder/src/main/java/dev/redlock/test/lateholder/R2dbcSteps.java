package dev.redlock.test.lateholder;

import java.util.Objects;
import java.util.function.Consumer;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Statement;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes each statement and each commit of an R2DBC connection a step at which
 * {@link LateHolder} may freeze the call.
 */
final class R2dbcSteps {

	private final Steps steps;

	R2dbcSteps(Steps steps) {
		this.steps = steps;
	}

	Object watch(Object bean) {
		return !(bean instanceof ConnectionFactory) ? bean : Proxies.around(bean, (call) -> {
			Object result = call.proceed();
			return (call.getMethod().getName().equals("create") && result instanceof Publisher<?> connections)
					? Mono.from(connections).map((connection) -> watched((Connection) connection)) : result;
		});
	}

	private Connection watched(Connection connection) {
		Transaction transaction = new Transaction();
		return Proxies.create(Connection.class, connection, (call) -> switch (call.getMethod().getName()) {
			case "createStatement" ->
				statement(Statement.class, call.proceed(), (String) call.getArguments()[0], connection, transaction);
			case "createBatch" -> statement(Batch.class, call.proceed(), "batch", connection, transaction);
			case "commitTransaction" -> step("commit", call.proceed(), transaction, transaction::committed);
			case "rollbackTransaction" ->
				publisher(call.proceed()).doOnSubscribe((subscription) -> transaction.rolledBack());
			default -> call.proceed();
		});
	}

	private <T> T statement(Class<T> type, @Nullable Object statement, String sql, Connection connection,
			Transaction transaction) {
		return Proxies.create(type, statement, (call) -> {
			Object result = call.proceed();
			return !call.getMethod().getName().equals("execute") ? result
					: step(Sql.shorten(sql), result, transaction, (touch) -> {
						if (Sql.writes(sql)) {
							transaction.wrote(touch, connection.isAutoCommit());
						}
					});
		});
	}

	private Flux<?> step(String name, @Nullable Object work, Transaction transaction, Consumer<Touch> after) {
		return this.steps.beginInFlow(name, transaction)
			.flatMapMany((touch) -> publisher(work).doOnComplete(() -> after.accept(touch)));
	}

	private static Flux<?> publisher(@Nullable Object publisher) {
		return Flux.from((Publisher<?>) Objects.requireNonNull(publisher));
	}

}
