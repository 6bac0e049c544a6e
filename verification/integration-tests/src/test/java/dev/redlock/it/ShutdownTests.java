package dev.redlock.it;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ShutdownTests {

	@AutoClose
	private final RedisNodes nodes = RedisNodes.start(5);

	@Test
	void sigtermLeavesNoKeyOnAnyReachableNode() throws InterruptedException {
		String[] arguments = StringUtils.concatenateStringArrays(arguments(this.nodes),
				new String[] { "--redlock.node-timeout=2s", "--redlock.shutdown-timeout=0s",
						"--redlock.shutdown.release-running=true" });
		try (ChildProcess child = ChildProcess.start(HoldingProcess.class, arguments)) {
			child.await("holding");
			assertThat(lockKeys()).hasSize(15);
			this.nodes.get(4).kill();
			child.terminate();
		}
		assertThat(lockKeys()).isEmpty();
	}

	@Test
	@Tag("slow")
	void anotherProcessEntersAfterTheWorkThatADestroyMethodDrains() throws Exception {
		try (ChildProcess next = ChildProcess.start(WorkingProcess.class, working("next", 0));
				ChildProcess working = ChildProcess.start(WorkingProcess.class, working("drained", 4_000))) {
			begin(working, "working");
			begin(next, "asking");
			working.signal("TERM");
			assertThat(time(next.await("entered"))).isGreaterThanOrEqualTo(time(working.await("ended")));
		}
	}

	@Test
	@Tag("slow")
	void anotherProcessEntersAfterTheEndOfTheKeysIfWorkIgnoresItsShutdown() throws Exception {
		try (ChildProcess working = ChildProcess.start(WorkingProcess.class,
				working("alone", 60_000, "--redlock.ttl=10s", "--redlock.shutdown-timeout=1s"));
				ChildProcess next = ChildProcess.start(WorkingProcess.class, working("next", 0))) {
			begin(working, "working");
			working.signal("TERM");
			working.awaitEnd();
			String warning = working.output()
				.stream()
				.filter((line) -> line.contains("The shutdown did not wait for the end of work"))
				.findFirst()
				.orElseThrow(() -> new AssertionError("No warning, but: " + working.output()));
			assertThat(warning).contains("WARN").contains("[work] (Shop.sell)");
			Instant until = Instant.parse(warning.replaceFirst(".*Its keys stay until (\\S+),.*", "$1"));
			begin(next, "asking");
			assertThat(time(next.await("entered"))).isGreaterThanOrEqualTo(until.toEpochMilli());
		}
	}

	private String[] working(String kind, long millis, String... properties) {
		return StringUtils.concatenateStringArrays(StringUtils
			.concatenateStringArrays(new String[] { kind, Long.toString(millis) }, arguments(this.nodes)), properties);
	}

	private static void begin(ChildProcess process, String says) throws InterruptedException {
		process.await("ready");
		process.say("begin");
		process.await(says);
	}

	private static long time(String line) {
		return Long.parseLong(line.split(" ")[1]);
	}

	private List<String> lockKeys() {
		List<String> keys = new ArrayList<>();
		for (RedisNode node : this.nodes.asList()) {
			if (node.isRunning()) {
				((List<?>) node.command("KEYS", "redlock:held:*")).forEach((key) -> keys.add(node.name() + " " + key));
			}
		}
		return keys;
	}

	static String[] arguments(RedisNodes nodes) {
		List<String> arguments = new ArrayList<>();
		for (RedisNode node : nodes.asList()) {
			arguments.add("--redlock.instances." + node.name() + ".host=" + node.host());
			arguments.add("--redlock.instances." + node.name() + ".port=" + node.port());
		}
		arguments.add("--redlock.restart-guard.enabled=false");
		return arguments.toArray(String[]::new);
	}

}
