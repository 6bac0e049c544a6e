package dev.redlock.it;

import javax.sql.DataSource;

import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a database whose test replaces the lock by a mock.
 */
@SpringBootTest(properties = { "redlock.jobs.history.enabled=true", "redlock.jobs.history.initialize-schema=always" })
class MockedLockTests {

	@MockitoBean
	private Redlock redlock;

	@Test
	void theApplicationStartsAndStopsAndStartsAgain(@Autowired ConfigurableApplicationContext context) {
		assertThat(Mockito.mockingDetails(context.getBean(Redlock.class)).isMock()).isTrue();
		assertThat(context.containsBean("redlockJobHistory")).isTrue();
		context.stop();
		context.start();
		Mockito.verify(this.redlock).closeAsync();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		DataSource database() {
			JdbcDataSource database = new JdbcDataSource();
			database.setURL("jdbc:h2:mem:mocked;DB_CLOSE_DELAY=-1");
			return database;
		}

		@Bean
		Shop shop() {
			return new Shop();
		}

	}

	static class Shop {

		@RedLock("stock")
		public void sell() {
		}

	}

}
