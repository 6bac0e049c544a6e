package dev.redlock.lettuce.internal.restart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.memory.ManualTime;
import io.lettuce.core.ScriptOutputType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of {@link DataHistory#SCRIPT}, on a real server.
 */
class DataHistoryTests {

	private static final long SINCE = 1_000_000;

	private static final String TIMES = " server=1000000 client=" + SINCE;

	private static RedisProcess redis;

	private final ManualTime time = new ManualTime();

	private final NodeSettings settings = NodeFixture.settings(true, Duration.ofSeconds(60));

	private final NodeContext context = new NodeContext("n", false, this.settings, new ServerRegistry(),
			new PauseDetector(1, this.settings, this.time, this.time), this.time, this.time);

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@ParameterizedTest(name = "{0} data, {1} process, durable: {2}, own file: {3}")
	@CsvSource(textBlock = """
			same,    same,    yes, yes, true
			same,    same,    no,  yes, true
			same,    same,    no,  no,  true
			same,    another, yes, yes, true
			same,    another, yes, no,  false
			same,    another, no,  yes, false
			another, same,    yes, yes, false
			another, another, yes, yes, false
			""")
	void aServerIsTrustedIfItHasTheLocksOfTheProcessThatClientsAndThisOneHaveCheckedLast(String data, String process,
			String durable, String ownFile, boolean trusted) {
		KnownServer former = new KnownServer(data, process, durable.equals("yes"));
		ServerFacts facts = facts(ownFile.equals("yes"), true);
		String recorded = "data=" + data + " process=" + process + " durable=" + durable + TIMES;
		assertThat(check(recorded, facts, KnownServer.NONE)).as("by the record").isEqualTo(trusted);
		String same = "data=same process=same durable=yes" + TIMES;
		assertThat(check(same, facts, former)).as("by what this client has checked").isEqualTo(trusted);
		assertThat(check(recorded, facts, former)).as("by both").isEqualTo(trusted);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			''
			same same durable 1000000 1000000
			data=same process=same durable=yes server=1000000
			data=same process=same durable=yes server=-1 client=1000000
			""")
	void aServerWithoutAReadableRecordIsNotTrusted(String record) {
		assertThat(check(record, facts(true, true), new KnownServer("same", "same", true))).isFalse();
	}

	@Test
	void aServerThatMayHaveLostLocksIsNotTrusted() {
		assertThat(check("data=same process=same durable=yes" + TIMES, facts(true, true), KnownServer.DOUBTED))
			.isFalse();
	}

	@ParameterizedTest(name = "{0} process, recorded: {1}, found: {2}")
	@CsvSource(textBlock = """
			same,    yes, yes, yes
			same,    yes, no,  no
			same,    no,  yes, no
			another, no,  yes, yes
			another, yes, no,  no
			""")
	void aProcessIsDurableIfEachCheckFoundItSo(String process, String recorded, String found, String durable) {
		check("data=same process=" + process + " durable=" + recorded + TIMES, facts(true, found.equals("yes")),
				KnownServer.NONE);
		assertThat(redis.<String>ask((commands) -> commands.get(Marker.sinceKey(""))))
			.startsWith("data=same process=same durable=" + durable + " server=");
	}

	private boolean check(String record, ServerFacts facts, KnownServer known) {
		redis.ask((commands) -> commands.set(Marker.key(""), "same"));
		redis.ask((commands) -> commands.set(Marker.sinceKey(""), record));
		List<String> arguments = new ArrayList<>(DataHistory.arguments(facts, known, this.context));
		List<String> answer = redis.ask((commands) -> commands.eval(DataHistory.SCRIPT, ScriptOutputType.MULTI,
				DataHistory.keys("").toArray(String[]::new), arguments.toArray(String[]::new)));
		return DataHistory.parse(answer, this.context).sinceMicros() == SINCE;
	}

	private static ServerFacts facts(boolean ownFile, boolean durable) {
		return new ServerFacts("same", "r", "master", false, "noeviction", ownFile, durable, 0, false, false, 0,
				Set.of());
	}

}
