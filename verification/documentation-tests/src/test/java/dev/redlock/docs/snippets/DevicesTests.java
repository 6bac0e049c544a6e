package dev.redlock.docs.snippets;

import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the service and the client of the page about fences over HTTP.
 */
@SpringBootTest(classes = SnippetApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "redlock.web.problem-details.enabled=true")
@Import(DevicesTests.Client.class)
@EmbeddedRedlock
class DevicesTests {

	@BeforeAll
	static void devices(@Autowired JdbcTemplate jdbc) {
		jdbc.execute(
				"create table devices (id bigint primary key, state varchar(20), fence bigint default 0 not null)");
		jdbc.update("insert into devices (id, state) values (1, 'OFF'), (2, 'OFF')");
	}

	@Test
	void theFenceReachesTheService(@Autowired DeviceClient client, @Autowired JdbcTemplate jdbc) {
		client.write(1, "ON");
		assertThat(state(jdbc, 1)).isEqualTo("ON");
	}

	@Test
	void theServiceRefusesALateHolder(@Autowired DeviceClient client, @Autowired JdbcTemplate jdbc) {
		jdbc.update("update devices set fence = ? where id = 2", Long.MAX_VALUE);
		assertThatExceptionOfType(HttpClientErrorException.Conflict.class).isThrownBy(() -> client.write(2, "ON"))
			.withMessageContaining("STALE_FENCE");
		assertThat(state(jdbc, 2)).isEqualTo("OFF");
	}

	private static String state(JdbcTemplate jdbc, long id) {
		return jdbc.queryForObject("select state from devices where id = ?", String.class, id);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Client {

		@Bean
		@Lazy
		DeviceClient deviceClient(@Value("${local.server.port}") int port) {
			return new DeviceClient(RestClient.builder().baseUrl("http://localhost:" + port));
		}

	}

}
