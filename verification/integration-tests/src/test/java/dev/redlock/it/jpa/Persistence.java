package dev.redlock.it.jpa;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * JPA over one database, as Spring sets it up.
 */
final class Persistence implements AutoCloseable {

	private final HikariDataSource dataSource;

	private final LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();

	private final JpaTransactionManager transactions;

	Persistence(String url, String schema, Class<?>... entities) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(12);
		this.dataSource = new HikariDataSource(config);
		this.bean.setDataSource(this.dataSource);
		this.bean.setManagedTypes(
				PersistenceManagedTypes.of(Arrays.stream(entities).map(Class::getName).toArray(String[]::new)));
		this.bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.bean.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", schema, "hibernate.jdbc.batch_size", 20,
				"hibernate.order_updates", true, "hibernate.cache.region.factory_class", LocalCache.class.getName()));
		try {
			this.bean.afterPropertiesSet();
		}
		catch (RuntimeException ex) {
			this.dataSource.close();
			throw ex;
		}
		this.transactions = new JpaTransactionManager(this.bean.getObject());
		this.transactions.afterPropertiesSet();
	}

	EntityManagerFactory factory() {
		return this.bean.getObject();
	}

	HikariDataSource dataSource() {
		return this.dataSource;
	}

	TransactionTemplate transaction() {
		return new TransactionTemplate(this.transactions);
	}

	/**
	 * Works in a transaction without a lease.
	 */
	<T> T call(Function<EntityManager, T> work) {
		return call(transaction(), work);
	}

	<T> T call(TransactionTemplate transaction, Function<EntityManager, T> work) {
		EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(factory());
		return transaction.execute((status) -> {
			try {
				return work.apply(shared);
			}
			catch (RuntimeException ex) {
				// What Spring does for a @Repository.
				RuntimeException translated = this.bean.getJpaDialect().translateExceptionIfPossible(ex);
				throw (translated != null) ? translated : ex;
			}
		});
	}

	void run(Consumer<EntityManager> work) {
		call((em) -> {
			work.accept(em);
			return null;
		});
	}

	/**
	 * Works in a transaction under a lease, which is taken before the transaction begins.
	 */
	void run(long fence, String resource, Consumer<EntityManager> work) {
		under(fence, () -> {
			run(work);
			return null;
		}, resource);
	}

	static <T> T under(long fence, Supplier<T> work, String... resources) {
		return HeldLease.under(new HeldLease(fence, Set.of(resources)), work);
	}

	@Override
	public void close() {
		this.bean.destroy();
		this.dataSource.close();
	}

}
