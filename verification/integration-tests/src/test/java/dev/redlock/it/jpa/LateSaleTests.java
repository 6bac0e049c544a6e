package dev.redlock.it.jpa;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.redlock.it.ChildProcess;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that are stopped for longer than their lock is valid. More sales:
 * {@code -Dredlock.it.increments=10000}.
 */
@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class LateSaleTests {

	private static final int STOCK = 1_000_000;

	private static final int SALES = Integer.getInteger("redlock.it.increments", 800);

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private static final Duration PAUSE = Duration.ofMillis(1500);

	@AutoClose
	private static final RedisNodes nodes = RedisNodes.start(5);

	@ParameterizedTest
	@EnumSource
	void aSaleOfAHolderThatWasStoppedIsRefusedOnceTheNextHolderHasSold(Kind kind) throws Exception {
		try (Database database = kind.start()) {
			kind.stock(database);
			assertThat(sellLate(database, kind, "plain")).as("the control").contains("[written, told of the loss]");
			assertThat(remaining(database, kind.plainTable())).isEqualTo(STOCK - 2);
			assertThat(sellLate(database, kind, "fenced")).contains("[refused: StaleFenceException, told of the loss]");
			assertThat(remaining(database, kind.fencedTable())).isEqualTo(STOCK - 1);
		}
	}

	@Test
	void twoProcessesThatAreStoppedNowAndThenLoseNoSale() throws Exception {
		Kind kind = Kind.POSTGRES;
		try (Database database = kind.start()) {
			kind.stock(database);
			try (ChildProcess first = sell(database, kind); ChildProcess second = sell(database, kind)) {
				first.await("selling");
				second.await("selling");
				for (ChildProcess paused : List.of(first, second, first)) {
					int before = remaining(database, kind.fencedTable());
					paused.signal("STOP");
					long end = System.nanoTime() + PAUSE.toNanos();
					Awaitility.await().until(() -> System.nanoTime() - end > 0);
					paused.signal("CONT");
					System.out.println(kind + ": " + (before - remaining(database, kind.fencedTable()))
							+ " sales while one was stopped");
				}
				int sold = sold(first) + sold(second);
				assertThat(remaining(database, kind.fencedTable())).isEqualTo(STOCK - sold);
			}
		}
	}

	private static int sold(ChildProcess process) throws InterruptedException {
		process.say("enough");
		String line = process.await("sold");
		System.out.println(line);
		return Integer.parseInt(line.split(" ")[1]);
	}

	private String sellLate(Database database, Kind kind, String rows) throws Exception {
		try (ChildProcess stopped = ChildProcess.start(StockProcess.class, arguments(database, kind, rows, 0));
				StockProcess next = new StockProcess(Stock.open(kind.storage, rows.equals("fenced"), database.url()),
						properties())) {
			stopped.await("locked");
			stopped.signal("STOP");
			return next.locked(LONG_ENOUGH, () -> {
				next.sellOne();
				stopped.signal("CONT");
				stopped.say("go on");
				return stopped.await("late sale");
			});
		}
	}

	private static int remaining(Database database, String table) {
		return new JdbcTemplate(new DriverManagerDataSource(database.url()))
			.queryForObject("select remaining from " + table, Integer.class);
	}

	private static ChildProcess sell(Database database, Kind kind) {
		return ChildProcess.start(StockProcess.class,
				arguments(database, kind, "fenced", SALES / (2 * StockProcess.THREADS)));
	}

	private static String[] arguments(Database database, Kind kind, String rows, int sales) {
		return Stream
			.concat(Stream.of(database.url(), kind.storage, rows, Integer.toString(sales)), Stream.of(properties()))
			.toArray(String[]::new);
	}

	private static String[] properties() {
		List<String> properties = new ArrayList<>(
				List.of("--redlock.restart-guard.enabled=false", "--redlock.max-ttl=60s"));
		nodes.asList().forEach((node) -> {
			properties.add("--redlock.instances." + node.name() + ".host=" + node.host());
			properties.add("--redlock.instances." + node.name() + ".port=" + node.port());
		});
		return properties.toArray(String[]::new);
	}

	enum Kind {

		POSTGRES("jpa", Database::postgres), MARIA_DB("jpa", Database::mariaDb),
		DATA_R2DBC_ON_POSTGRES("r2dbc", Database::postgres);

		private final String storage;

		private final Callable<Database> server;

		Kind(String storage, Callable<Database> server) {
			this.storage = storage;
			this.server = server;
		}

		private Database start() throws Exception {
			return this.server.call();
		}

		private void stock(Database database) {
			Stock.create(this.storage, database.url(), STOCK);
		}

		private String fencedTable() {
			return this.storage.equals("jpa") ? "StockItem" : "stock_item";
		}

		private String plainTable() {
			return this.storage.equals("jpa") ? "PlainItem" : "plain_item";
		}

	}

}
