package dev.redlock.nemesis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real process whose machine is suspended for longer than its requests wait and its
 * locks last: the clocks of all servers and its own wall clock are ahead by the pause.
 */
@Tag("slow")
class WakingTests {

	private static final Duration ASLEEP = Duration.ofSeconds(40);

	@TempDir
	private Path directory;

	@AutoClose
	private SteppedClients servers;

	@Test
	void theFirstRequestAfterWakingGetsTheLockThoughItDoesNotWait() throws Exception {
		this.servers = new SteppedClients(this.directory, Map.of());
		List<String> addresses = this.servers.servers().stream().map((server) -> "127.0.0.1:" + server.port()).toList();
		Path own = Files.createDirectory(this.directory.resolve("client"));
		SteppedClock clock = SteppedClients.shim(own).clock("client");
		try (ClientProcess client = ClientProcess.start(clock.prefix(), "client", own, SuspendedClient.class,
				addresses)) {
			client.awaitReady();
			Suspension suspension = Suspension.begin(client);
			this.servers.setClocks(ASLEEP);
			clock.set(ASLEEP);
			client.finish();
			suspension.end(clock);
			client.awaitIdle();
			List<String> lines = Files.readAllLines(client.log());
			assertThat(lines).containsSubsequence("before true", "ready", "soon true");
			assertThat(lines).anyMatch((line) -> line.contains("This process was paused"));
		}
	}

}
