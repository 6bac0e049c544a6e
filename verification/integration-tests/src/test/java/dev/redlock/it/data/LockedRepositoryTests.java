package dev.redlock.it.data;

import javax.sql.DataSource;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.it.jpa.Database;
import dev.redlock.it.jpa.LockInMemory;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.RedLockConfiguration;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Repositories of Spring Data with {@code @RedLock}.
 */
class LockedRepositoryTests {

	private final Redlock redlock = LockInMemory.create();

	@Test
	void aRepositoryIsLockedByItsTypeAndFallsBackToItsDefaultMethod() throws Exception {
		try (Database database = Database.h2();
				AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			FencedAggregateContract.tables(database.url());
			context.registerBean(DataSource.class, () -> new DriverManagerDataSource(database.url()));
			context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(this.redlock, Runnable::run));
			context.register(Locked.class, JdbcStore.Beans.class);
			context.refresh();
			Items items = context.getBean(Items.class);
			assertThat(items.count()).isZero();
			assertThat(items.countOrGuess()).isZero();
			this.redlock.attempt(LockRequest.of("items"));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(items::count);
			assertThat(items.countOrGuess()).isEqualTo(-1);
		}
	}

	@RedLock(resource = "items", waitFor = "0")
	interface Items extends CrudRepository<PlainItem, String> {

		@RedLock(resource = "items", waitFor = "0", fallback = "guess")
		default long countOrGuess() {
			return count();
		}

		default long guess() {
			return -1;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableJdbcRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = LockedRepositoryTests.Items.class))
	@Import(RedLockConfiguration.class)
	static class Locked {

	}

}
