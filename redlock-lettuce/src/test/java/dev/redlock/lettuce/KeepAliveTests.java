package dev.redlock.lettuce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A firewall may drop a silent connection without a word. The system then shows it as
 * established until a probe gets no answer.
 */
@EnabledOnOs(OS.LINUX)
class KeepAliveTests {

	private static final String ESTABLISHED = "01";

	private static final String KEEP_ALIVE_TIMER = "02";

	private static final int HEX = 16;

	/** In hundredths of a second. */
	private static final long MINUTE = 6_000;

	@Test
	void aSilentConnectionForAnnouncementsIsProbedWithinAMinute() {
		try (RedisProcess redis = RedisProcess.start(); NodeFixture fixture = new NodeFixture()) {
			RedisLockNode node = NodeFixture.await(fixture.lettuce("a", redis.uri(), NodeFixture.unguarded()),
					State.READY);
			Watch watch = node.watch("stock", new ReleaseListener() {

				@Override
				public void listening() {
				}

				@Override
				public void released(String release, int listeners) {
				}

			});
			Awaitility.await().atMost(NodeFixture.BOUND).until(watch::isListening);
			// The node has one connection.
			Awaitility.await()
				.atMost(NodeFixture.BOUND)
				.untilAsserted(() -> assertThat(probes(redis.port())).filteredOn((due) -> due <= MINUTE).hasSize(1));
		}
	}

	/**
	 * Returns the time until each connection of this machine to a port is probed, in
	 * hundredths of a second.
	 */
	private static List<Long> probes(int port) {
		return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
			.flatMap(KeepAliveTests::lines)
			.map((line) -> line.strip().split("\\s+"))
			.filter((fields) -> fields[2].endsWith(String.format(":%04X", port)) && fields[3].equals(ESTABLISHED))
			.map((fields) -> fields[5].split(":"))
			.filter((timer) -> timer[0].equals(KEEP_ALIVE_TIMER))
			.map((timer) -> Long.parseLong(timer[1], HEX))
			.toList();
	}

	private static Stream<String> lines(String file) {
		try {
			return Files.readAllLines(Path.of(file)).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
