package dev.redlock.test;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WatchdogTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@ParameterizedTest
	@ValueSource(strings = { "KILL", "TERM" })
	void nodesDoNotOutliveTheirJvm(String signal) throws Exception {
		Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), StartNodes.class.getName())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = jvm.inputReader(StandardCharsets.UTF_8)) {
			List<ProcessHandle> nodes = Stream.of(output.readLine().split(" "))
				.map(Long::valueOf)
				.map((pid) -> ProcessHandle.of(pid).orElseThrow())
				.toList();
			List<ProcessHandle> children = jvm.descendants().toList();
			assertThat(children).containsAll(nodes);
			new ProcessBuilder("sh", "-c", "kill -" + signal + " " + jvm.pid()).start().waitFor();
			await().atMost(SOON).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
		}
		finally {
			jvm.destroyForcibly();
		}
	}

	@Test
	void watchdogEndsWithItsNode() {
		Set<ProcessHandle> others = ProcessHandle.current().children().collect(Collectors.toSet());
		RedisNode node = RedisNode.start("a");
		List<ProcessHandle> children = ProcessHandle.current()
			.children()
			.filter((child) -> !others.contains(child))
			.toList();
		assertThat(children).hasSize(2);
		node.close();
		await().atMost(SOON).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
	}

	static class StartNodes {

		public static void main(String[] args) throws Exception {
			RedisNodes nodes = RedisNodes.start(2);
			System.out.println(pid(nodes.get(0)) + " " + pid(nodes.get(1)));
			Thread.currentThread().join();
		}

		private static String pid(RedisNode node) {
			return String.valueOf(node.command("INFO", "server"))
				.lines()
				.filter((line) -> line.startsWith("process_id:"))
				.findFirst()
				.orElseThrow()
				.substring("process_id:".length());
		}

	}

}
