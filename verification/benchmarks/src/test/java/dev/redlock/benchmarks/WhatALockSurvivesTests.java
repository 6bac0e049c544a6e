package dev.redlock.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.benchmarks.contender.Contexts;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.spring.fencing.JdbcFenceGuard;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNode;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table below the first example of README: what becomes of a lock when its server
 * dies, when the server restarts without its data, and when a paused holder writes late.
 */
class WhatALockSurvivesTests {

	private static final String NAME = "stock:42";

	private static final Duration BOUND = Duration.ofSeconds(60);

	private final List<AutoCloseable> started = new ArrayList<>();

	private final JdbcTemplate stock = new JdbcTemplate(
			new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));

	WhatALockSurvivesTests() {
		this.stock.execute("create table stock (id int primary key, writer varchar(10), fence bigint default 0)");
		this.stock.execute("insert into stock (id) values (42)");
	}

	@AfterEach
	void stop() throws Exception {
		for (int i = this.started.size() - 1; i >= 0; i--) {
			this.started.get(i).close();
		}
		this.stock.execute("shutdown");
	}

	private <T extends AutoCloseable> T started(T closeable) {
		this.started.add(closeable);
		return closeable;
	}

	private void write(String writer) {
		this.stock.update("update stock set writer = ? where id = 42", writer);
	}

	private String lastWriter() {
		return String.valueOf(this.stock.queryForObject("select writer from stock", String.class));
	}

	private static void expire(RedisNode server) {
		server.command("FLUSHALL");
	}

	@Nested
	class ShedLock {

		private final RedisNode server = started(RedisNode.start("one"));

		private final RedisLockProvider first = connect();

		private final RedisLockProvider second = connect();

		@Test
		void noTaskRunsUntilTheServerIsBack() {
			this.server.kill();
			assertThatException().isThrownBy(() -> take(this.first));
		}

		@Test
		void aServerWithoutItsDataHasASecondHolder() {
			assertThat(take(this.first)).isPresent();
			this.server.restartEmpty();
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> take(this.second).isPresent());
		}

		@Test
		void aLateWriteGoesThrough() {
			assertThat(take(this.first)).isPresent();
			expire(this.server);
			assertThat(take(this.second)).isPresent();
			write("second");
			write("first");
			assertThat(lastWriter()).isEqualTo("first");
		}

		private Optional<SimpleLock> take(RedisLockProvider provider) {
			return provider.lock(new LockConfiguration(Instant.now(), NAME, Duration.ofMinutes(5), Duration.ZERO));
		}

		private RedisLockProvider connect() {
			LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.server.port());
			connections.afterPropertiesSet();
			connections.start();
			started(connections::destroy);
			return new RedisLockProvider(connections);
		}

	}

	@Nested
	class RedissonOnOneMaster {

		private final RedisNode server = started(RedisNode.start("one"));

		private final RedissonClient first = connect();

		private final RedissonClient second = connect();

		@Test
		void nobodyGetsTheLockUntilTheServerIsBack() {
			this.server.kill();
			assertThatException().isThrownBy(() -> take(this.first));
		}

		@Test
		void aServerWithoutItsDataHasASecondHolder() throws InterruptedException {
			assertThat(take(this.first)).isTrue();
			this.server.restartEmpty();
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> take(this.second));
		}

		@Test
		void aLateWriteGoesThrough() throws InterruptedException {
			assertThat(take(this.first)).isTrue();
			expire(this.server);
			assertThat(take(this.second)).isTrue();
			write("second");
			write("first");
			assertThat(lastWriter()).isEqualTo("first");
		}

		private boolean take(RedissonClient client) throws InterruptedException {
			RLock lock = client.getLock(NAME);
			return lock.tryLock(0, 300, TimeUnit.SECONDS);
		}

		private RedissonClient connect() {
			Config config = new Config();
			config.useSingleServer()
				.setAddress("redis://127.0.0.1:" + this.server.port())
				.setRetryAttempts(1)
				.setTimeout(2000);
			RedissonClient client = Redisson.create(config);
			started(() -> client.shutdown(0, 1, TimeUnit.SECONDS));
			return client;
		}

	}

	/** A row that the holder selects for update. */
	@Nested
	class ARowOfTheDatabase {

		private final Server server;

		private final String url;

		ARowOfTheDatabase() throws SQLException {
			this.server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
			started(this.server::stop);
			this.url = "jdbc:h2:tcp://localhost:" + this.server.getPort() + "/mem:" + UUID.randomUUID();
		}

		@Test
		void nobodyGetsTheRowUntilTheServerIsBack() throws SQLException {
			lockRow().close();
			this.server.stop();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> lockRow().close());
		}

		@Test
		void aLateWriteIsRefusedBecauseItsTransactionHasEnded() throws SQLException {
			try (Connection first = lockRow();
					Connection other = connect();
					Statement session = first.createStatement()) {
				var id = session.executeQuery("call session_id()");
				id.next();
				other.createStatement().execute("call abort_session(" + id.getInt(1) + ")");
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> update(first, "first"));
				update(other, "second");
			}
		}

		private Connection connect() throws SQLException {
			return new DriverManagerDataSource(this.url, "sa", "").getConnection();
		}

		private Connection lockRow() throws SQLException {
			Connection connection = connect();
			try (Statement statement = connection.createStatement()) {
				statement.execute("create table if not exists stock (id int primary key, writer varchar(10))");
				statement.execute("merge into stock (id) values (42)");
				connection.setAutoCommit(false);
				statement.executeQuery("select * from stock where id = 42 for update");
			}
			return connection;
		}

		private void update(Connection connection, String writer) throws SQLException {
			try (Statement statement = connection.createStatement()) {
				statement.execute("update stock set writer = '" + writer + "'");
			}
		}

	}

	@Nested
	class ThisLibraryOnThreeServers {

		private final List<RedisNode> servers = List.of(started(RedisNode.start("a")), started(RedisNode.start("b")),
				started(RedisNode.start("c")));

		private final ConfigurableApplicationContext first = application();

		private final ConfigurableApplicationContext second = application();

		@Test
		void locksGoOnWithoutOneServer() {
			this.servers.get(0).kill();
			assertThat(template(this.first).execute(NAME, Duration.ofSeconds(3), Lease::isValid)).isTrue();
		}

		@Test
		void serversWithoutTheirDataHaveNoSecondHolder() {
			Lease held = template(this.first).acquire(LockRequest.of(NAME).withTtl(Duration.ofSeconds(3)));
			this.servers.get(0).restartEmpty();
			this.servers.get(1).restartEmpty();
			Lease next = Awaitility.await()
				.atMost(BOUND)
				.ignoreExceptionsInstanceOf(LockNotAcquiredException.class)
				.until(() -> template(this.second).acquire(LockRequest.of(NAME).withWaitFor(Duration.ofMillis(100))),
						(lease) -> true);
			assertThat(held.isValid()).isFalse();
			next.close();
		}

		@Test
		void aLateWriteIsRefusedByAFence() {
			JdbcFenceGuard guard = new JdbcFenceGuard(WhatALockSurvivesTests.this.stock, "stock", "id", "fence");
			Lease held = template(this.first).acquire(LockRequest.of(NAME));
			this.servers.forEach((server) -> server.command("DEL", "redlock:" + NAME));
			Lease next = template(this.second).acquire(LockRequest.of(NAME));
			guard.claim(42, next.fence());
			write("second");
			assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> guard.claim(42, held.fence()));
		}

		private static RedLockTemplate template(ConfigurableApplicationContext application) {
			return application.getBean(RedLockTemplate.class);
		}

		private ConfigurableApplicationContext application() {
			ConfigurableApplicationContext context = started(Contexts
				.start(this.servers.stream().map(RedisNode::port).toList(), Terms.under(Duration.ofSeconds(3))));
			Contexts.awaitReady(context, BOUND);
			return context;
		}

	}

}
