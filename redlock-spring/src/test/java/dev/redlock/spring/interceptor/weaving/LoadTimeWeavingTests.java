package dev.redlock.spring.interceptor.weaving;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.aspectj.weaver.loadtime.Agent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link WovenApplication} prints under the real agent.
 */
class LoadTimeWeavingTests {

	@TempDir
	private static Path directory;

	private static String output = "";

	@BeforeAll
	static void run() throws IOException, InterruptedException {
		String agent = Agent.class.getProtectionDomain().getCodeSource().getLocation().getPath();
		Path printed = directory.resolve("output");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-javaagent:" + agent, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("java.class.path"), WovenApplication.class.getName())
			.redirectErrorStream(true)
			.redirectOutput(printed.toFile())
			.start();
		try {
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		output = Files.readString(printed, StandardCharsets.UTF_8);
		assertThat(process.exitValue()).as(output).isZero();
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			self-invocation    | [stock:42]
			private            | [private:42]
			static             | [static:42]
			final              | [final:42]
			meta               | [meta]
			record             | [record]
			asynchronous       | [later:42] held until false
			disabled           | [stock:42]
			""")
	void wovenMethodIsLockedWithoutAProxy(String call, String locks) {
		assertThat(output.lines()).contains(call + ": " + locks);
	}

	@Test
	void callThroughTheProxyIsLockedOnceAndOutsideOfTheTransaction() {
		assertThat(output.lines()).contains("proxy: [once:42] in transaction", "evaluated: 1");
	}

	@Test
	void methodThatCallsItselfIsLockedEachTime() {
		assertThat(output.lines()).contains("recursive: [level:2][level:1][level:0]", "evaluated for each: 3");
	}

	@ParameterizedTest
	@CsvSource({ "before start", "after close" })
	void callWithoutARunningContextFailsInsteadOfRunningUnlocked(String when) {
		assertThat(output.lines()).filteredOn((line) -> line.startsWith(when + ": "))
			.singleElement()
			.asString()
			.contains("IllegalStateException", "sell", "no application context");
	}

	@Test
	void noHintIsGivenForCallsThatAreWoven() {
		assertThat(output).doesNotContain("of its own, which has @RedLock");
	}

}
