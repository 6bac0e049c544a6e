package dev.redlock.it.data;

import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.it.jpa.HeldLease;
import dev.redlock.spring.data.RedlockDataAutoConfiguration;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Data JDBC, as an application sets it up without Boot.
 */
final class JdbcStore implements Store {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	JdbcStore(String url) {
		this.context.registerBean(HikariDataSource.class, () -> {
			HikariConfig config = new HikariConfig();
			config.setJdbcUrl(url);
			config.setMaximumPoolSize(12);
			return new HikariDataSource(config);
		});
		this.context.register(Beans.class);
		this.context.refresh();
	}

	JdbcAggregateOperations aggregates() {
		return this.context.getBean(JdbcAggregateOperations.class);
	}

	Invoices invoices() {
		return this.context.getBean(Invoices.class);
	}

	TransactionTemplate transaction() {
		return new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class));
	}

	@Override
	public <T> T load(@Nullable Lease lease, Class<T> type, Object id) {
		return inTransaction(lease, () -> aggregates().findById(id, type));
	}

	@Override
	public <T> T save(@Nullable Lease lease, T aggregate) {
		return inTransaction(lease, () -> aggregates().save(aggregate));
	}

	@Override
	public <T> void change(@Nullable Lease lease, Class<T> type, Object id, Consumer<T> change) {
		inTransaction(lease, () -> {
			T aggregate = aggregates().findById(id, type);
			change.accept(aggregate);
			return aggregates().save(aggregate);
		});
	}

	@Override
	public <T> T saveOutsideOfTransactions(@Nullable Lease lease, T aggregate) {
		return HeldLease.under(lease, () -> aggregates().save(aggregate));
	}

	@Override
	public <T> T saveUnderAKeptLock(Redlock redlock, String resource, T aggregate) {
		return inTransaction(null, () -> {
			new RedLockTemplate(redlock, Runnable::run).execute(LockRequest.of(resource), (lease) -> null);
			return aggregates().save(aggregate);
		});
	}

	<T> T inTransaction(@Nullable Lease lease, Supplier<T> work) {
		return HeldLease.under(lease, () -> transaction().execute((status) -> work.get()));
	}

	@Override
	public void close() {
		this.context.close();
	}

	interface Invoices extends CrudRepository<Invoice, Long> {

		Total findTotalById(long id);

		IdAndTotal findIdAndTotalById(long id);

	}

	interface Total {

		int getTotal();

	}

	interface IdAndTotal extends Total {

		long getId();

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@EnableJdbcRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = JdbcStore.Invoices.class))
	@ImportAutoConfiguration(RedlockDataAutoConfiguration.class)
	static class Beans extends AbstractJdbcConfiguration {

		@Bean
		NamedParameterJdbcOperations operations(DataSource dataSource) {
			return new NamedParameterJdbcTemplate(dataSource);
		}

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
