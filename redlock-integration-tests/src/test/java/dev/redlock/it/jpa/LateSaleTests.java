package dev.redlock.it.jpa;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.redlock.it.ChildProcess;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that are stopped for longer than their lock is valid. More sales:
 * {@code -Dredlock.it.increments=10000}.
 */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class LateSaleTests {

	private static final int SALES = Integer.getInteger("redlock.it.increments", 800);

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private static final Duration PAUSE = Duration.ofMillis(1500);

	private static final RedisNodes nodes = RedisNodes.start(5);

	@AfterAll
	static void stop() {
		nodes.close();
	}

	@ParameterizedTest
	@EnumSource
	void aSaleOfAHolderThatWasStoppedIsRefusedOnceTheNextHolderHasSold(Kind kind) throws Exception {
		try (Database database = kind.start(); Persistence jpa = stock(database)) {
			assertThat(sellLate(database, "plain")).as("the control").contains("[written, told of the loss]");
			assertThat(remaining(jpa, "PlainItem")).isEqualTo(SALES - 2);
			assertThat(sellLate(database, "fenced")).contains("[refused: StaleFenceException, told of the loss]");
			assertThat(remaining(jpa, "StockItem")).isEqualTo(SALES - 1);
		}
	}

	@ParameterizedTest
	@EnumSource
	void twoProcessesThatAreStoppedNowAndThenLoseNoSale(Kind kind) throws Exception {
		try (Database database = kind.start();
				Persistence jpa = stock(database);
				ChildProcess first = sell(database);
				ChildProcess second = sell(database)) {
			first.await("selling");
			second.await("selling");
			for (ChildProcess paused : List.of(first, second, first)) {
				int before = remaining(jpa, "StockItem");
				paused.signal("STOP");
				long end = System.nanoTime() + PAUSE.toNanos();
				Awaitility.await().until(() -> System.nanoTime() - end > 0);
				paused.signal("CONT");
				System.out
					.println(kind + ": " + (before - remaining(jpa, "StockItem")) + " sales while one was stopped");
			}
			System.out.println(kind + ": refused and repeated: " + first.await("sold") + ", " + second.await("sold"));
			assertThat(remaining(jpa, "StockItem")).isZero();
		}
	}

	private String sellLate(Database database, String kind) throws Exception {
		try (ChildProcess stopped = ChildProcess.start(StockProcess.class, arguments(database, kind, 0));
				StockProcess next = new StockProcess(database.url(), kind.equals("fenced"), properties())) {
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

	private static Persistence stock(Database database) {
		Persistence jpa = new Persistence(database.url(), "create", StockItem.class, PlainItem.class);
		jpa.run((em) -> em.persist(new PlainItem("sneaker", SALES)));
		jpa.run(1, "stock:sneaker", (em) -> em.persist(new StockItem("sneaker", SALES)));
		return jpa;
	}

	private static int remaining(Persistence jpa, String table) {
		return new JdbcTemplate(jpa.dataSource()).queryForObject("select remaining from " + table, Integer.class);
	}

	private static ChildProcess sell(Database database) {
		return ChildProcess.start(StockProcess.class,
				arguments(database, "fenced", SALES / (2 * StockProcess.THREADS)));
	}

	private static String[] arguments(Database database, String kind, int sales) {
		return Stream.concat(Stream.of(database.url(), kind, Integer.toString(sales)), Stream.of(properties()))
			.toArray(String[]::new);
	}

	private static String[] properties() {
		List<String> properties = new ArrayList<>(List.of("--redlock.restart-guard.enabled=false"));
		nodes.asList().forEach((node) -> {
			properties.add("--redlock.instances." + node.name() + ".host=" + node.host());
			properties.add("--redlock.instances." + node.name() + ".port=" + node.port());
		});
		return properties.toArray(String[]::new);
	}

	enum Kind {

		H2 {
			@Override
			Database start() throws Exception {
				return Database.h2();
			}
		},
		POSTGRES {
			@Override
			Database start() throws Exception {
				return Database.postgres();
			}
		},
		MARIA_DB {
			@Override
			Database start() throws Exception {
				return Database.mariaDb();
			}
		};

		abstract Database start() throws Exception;

	}

}
