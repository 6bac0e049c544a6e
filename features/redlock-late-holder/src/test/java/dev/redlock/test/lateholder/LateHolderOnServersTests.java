package dev.redlock.test.lateholder;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.test.lateholder.AutoConfigureLateHolder.Servers;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(properties = { "redlock.ttl=2s", "redlock.embedded.nodes=3" })
@AutoConfigureLateHolder(servers = Servers.EMBEDDED)
class LateHolderOnServersTests {

	@Autowired
	Meter meter;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	LateHolder lateHolder;

	@Test
	void aLockThatIsRenewedExpiresOnRealServersToo() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(() -> this.jdbc.update("update meter set reading = 0"))
				.call(() -> this.meter.set(1))
				.rival(() -> this.meter.set(2))
				.verify(() -> assertThat(this.meter.reading()).isEqualTo(2)))
			.withMessageContaining("LANDED LATE, then LockLostAfterCommitException")
			.withMessageContaining("BROKEN: expected: 2 but was: 1");
	}

	static class Meter {

		private final JdbcTemplate jdbc;

		Meter(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@RedLock(resource = "meter", renew = RedLock.Renew.ON)
		public void set(int reading) {
			this.jdbc.update("update meter set reading = ?", reading);
		}

		int reading() {
			return this.jdbc.queryForObject("select reading from meter", Integer.class);
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Meter meter(JdbcTemplate jdbc) {
			jdbc.execute("create table meter (reading int)");
			jdbc.update("insert into meter values (0)");
			return new Meter(jdbc);
		}

	}

}
