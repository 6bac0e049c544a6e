package dev.redlock.it.data;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.data.RedlockDataAutoConfiguration;
import dev.redlock.spring.internal.lease.ContextLeases;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.postgresql.PostgresqlConnectionConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.r2dbc.config.AbstractR2dbcConfiguration;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.config.EnableR2dbcRepositories;
import org.springframework.data.relational.core.query.Criteria;
import org.springframework.data.relational.core.query.Query;
import org.springframework.data.repository.reactive.ReactiveCrudRepository;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Spring Data R2DBC, as an application sets it up without Boot.
 */
final class R2dbcStore implements Store {

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	R2dbcStore(String jdbcUrl) {
		this.context.registerBean(Beans.class, () -> new Beans(connect(jdbcUrl)));
		this.context.refresh();
	}

	private static ConnectionFactory connect(String jdbcUrl) {
		if (jdbcUrl.startsWith("jdbc:h2:")) {
			return new H2ConnectionFactory(
					H2ConnectionConfiguration.builder().url(jdbcUrl.substring("jdbc:h2:".length())).build());
		}
		URI uri = URI.create(jdbcUrl.substring("jdbc:".length()));
		return new PostgresqlConnectionFactory(PostgresqlConnectionConfiguration.builder()
			.host(uri.getHost())
			.port(uri.getPort())
			.username("postgres")
			.database("postgres")
			.build());
	}

	R2dbcEntityTemplate template() {
		return this.context.getBean(R2dbcEntityTemplate.class);
	}

	DatabaseClient client() {
		return template().getDatabaseClient();
	}

	@Override
	public <T> T load(@Nullable Lease lease, Class<T> type, Object id) {
		return inTransaction(lease, find(type, id));
	}

	@Override
	public <T> T save(@Nullable Lease lease, T aggregate) {
		return inTransaction(lease, saved(aggregate));
	}

	@Override
	public <T> void change(@Nullable Lease lease, Class<T> type, Object id, Consumer<T> change) {
		inTransaction(lease, find(type, id).doOnNext(change).flatMap(this::saved));
	}

	@Override
	public <T> T saveOutsideOfTransactions(@Nullable Lease lease, T aggregate) {
		return under(lease, saved(aggregate));
	}

	@Override
	public <T> T saveUnderAKeptLock(Redlock redlock, String resource, T aggregate) {
		return inTransaction(null,
				new ReactiveRedLockTemplate(redlock).execute(LockRequest.of(resource), (lease) -> Mono.just(true))
					.flatMap((locked) -> saved(aggregate)));
	}

	Invoices invoices() {
		return this.context.getBean(Invoices.class);
	}

	<T> T inTransaction(@Nullable Lease lease, Mono<T> work) {
		return under(lease, work
			.as(TransactionalOperator.create(this.context.getBean(ReactiveTransactionManager.class))::transactional));
	}

	/**
	 * The context is that of work under {@code ReactiveRedLockTemplate}.
	 */
	static <T> T under(@Nullable Lease lease, Mono<T> work) {
		return ((lease != null) ? work.contextWrite((context) -> ContextLeases.push(context, List.of(lease))) : work)
			.block(LONG_ENOUGH);
	}

	private <T> Mono<T> find(Class<T> type, Object id) {
		return template().selectOne(Query.query(Criteria.where((id instanceof Long) ? "id" : "sku").is(id)), type);
	}

	/**
	 * As a repository does. The template has no method for both.
	 */
	private <T> Mono<T> saved(T aggregate) {
		boolean isNew = template().getConverter()
			.getMappingContext()
			.getRequiredPersistentEntity(aggregate.getClass())
			.isNew(aggregate);
		return isNew ? template().insert(aggregate) : template().update(aggregate);
	}

	@Override
	public void close() {
		this.context.close();
	}

	interface Invoices extends ReactiveCrudRepository<Invoice, Long> {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@EnableR2dbcRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = R2dbcStore.Invoices.class))
	@ImportAutoConfiguration(RedlockDataAutoConfiguration.class)
	static class Beans extends AbstractR2dbcConfiguration {

		private final ConnectionFactory connections;

		Beans(ConnectionFactory connections) {
			this.connections = connections;
		}

		@Bean
		@Override
		public ConnectionFactory connectionFactory() {
			return this.connections;
		}

		@Bean
		ReactiveTransactionManager transactionManager(ConnectionFactory connections) {
			return new R2dbcTransactionManager(connections);
		}

	}

}
