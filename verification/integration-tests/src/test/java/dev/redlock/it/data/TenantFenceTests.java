package dev.redlock.it.data;

import javax.sql.DataSource;

import dev.redlock.it.jpa.Database;
import dev.redlock.it.jpa.LockInMemory;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.RedLockConfiguration;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Fenced aggregates of an application whose locks have the tenant in their names.
 */
class TenantFenceTests {

	@Test
	void anAggregateIsSavedUnderTheLockOfItsTenant() throws Exception {
		try (Database database = Database.h2();
				AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			JdbcTemplate jdbc = FencedAggregateContract.tables(database.url());
			context.registerBean(DataSource.class, () -> new DriverManagerDataSource(database.url()));
			context.register(Tenants.class, JdbcStore.Beans.class);
			context.refresh();
			Invoice invoice = context.getBean(JdbcAggregateOperations.class).save(new Invoice());
			Desk desk = context.getBean(Desk.class);
			desk.pay(invoice.id);
			assertThat(jdbc.queryForObject("select total from invoice", Integer.class)).isOne();
			assertThat(jdbc.queryForObject("select fence from invoice", Long.class)).isPositive();
			assertThatIllegalStateException().isThrownBy(() -> desk.payAnother(0, invoice.id))
				.withMessageContaining("is fenced by the lock on invoice:" + invoice.id)
				.withMessageContaining("holds only the lock on [acme:invoice:0]");
		}
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ RedLockConfiguration.class, Desk.class })
	static class Tenants {

		@Bean
		RedLockTemplate template() {
			return new RedLockTemplate(LockInMemory.create(), Runnable::run);
		}

		@Bean
		ResourceNameResolver resourceNames() {
			return (call) -> call.names().stream().map((name) -> "acme:" + name).toList();
		}

	}

	static class Desk {

		private final JdbcAggregateOperations aggregates;

		Desk(JdbcAggregateOperations aggregates) {
			this.aggregates = aggregates;
		}

		@RedLock(resource = "invoice:#{#id}", waitFor = "0")
		@Transactional
		public void pay(long id) {
			Invoice invoice = this.aggregates.findById(id, Invoice.class);
			invoice.total++;
			this.aggregates.save(invoice);
		}

		@RedLock(resource = "invoice:#{#locked}", waitFor = "0")
		@Transactional
		public void payAnother(long locked, long id) {
			pay(id);
		}

	}

}
