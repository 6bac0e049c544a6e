package dev.redlock.nemesis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import dev.redlock.nemesis.LockDriver.Grant;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real process whose monotonic clock stands still while its lock ends on real servers.
 */
@Tag("slow")
class SuspendedHolderTests {

	@TempDir
	private Path directory;

	private ProcessShim shim;

	@AutoClose
	private RedisNodes nodes;

	@AutoClose
	private ResourceServer resources;

	@BeforeEach
	void start() {
		this.shim = SteppedClients.shim(this.directory);
		this.nodes = RedisNodes.start(5);
		this.resources = ResourceServer.start(new Resources());
	}

	@Test
	void aHolderWhoseMachineIsSuspendedIsToldOnWakingAndItsLateWriteIsRefused() throws Exception {
		assertThat(log(Suspension::end)).containsSubsequence("ready", "valid false", "nested was told of the loss",
				"late write " + Resources.REFUSED, "told before the end by the monotonic clock",
				"the call was told of the loss");
	}

	/**
	 * A limit: what neither clock has counted cannot be noticed.
	 */
	@Test
	void aHolderWhoseVirtualMachineIsPausedIsToldNothingAndOnlyTheFenceRefusesItsLateWrite() throws Exception {
		assertThat(log(Suspension::endUnnoticed)).containsSubsequence("ready", "valid true", "nested ran",
				"late write " + Resources.REFUSED, "the call was told nothing");
	}

	/**
	 * By a clock that stood still, the clocks of all servers have stepped alike.
	 */
	@Test
	void aClientWhoseMachineWasSuspendedGetsTheLockWithoutAQuarantine() throws Exception {
		SteppedClock clock = this.shim.clock("client");
		try (ClientProcess client = ClientProcess.start(clock.prefix(), "client", this.directory, SuspendedClient.class,
				StoppedHolderTests.servers(this.nodes))) {
			client.awaitReady();
			Suspension suspension = Suspension.begin(client);
			suspension.awaitPassed(Duration.ofSeconds(2));
			client.finish();
			suspension.end(clock);
			client.awaitIdle();
			List<String> lines = Files.readAllLines(client.log());
			assertThat(lines).containsSubsequence("before true", "ready", "soon true");
			assertThat(lines).anyMatch((line) -> line.contains("This process was paused"))
				.noneMatch((line) -> line.contains("The clock of the server stepped forward by"));
		}
	}

	/**
	 * Suspends a holder until another process has its lock, and returns what it says.
	 */
	private List<String> log(BiConsumer<Suspension, SteppedClock> waking) throws Exception {
		List<String> servers = StoppedHolderTests.servers(this.nodes);
		List<String> arguments = new ArrayList<>(List.of(this.resources.address()));
		arguments.addAll(servers);
		SteppedClock clock = this.shim.clock("first");
		try (ClientProcess first = ClientProcess.start(clock.prefix(), "first", this.directory, SuspendedHolder.class,
				arguments); RedlockDriver second = new RedlockDriver()) {
			second.connect(servers, false, SuspendedHolder.PROPERTIES);
			first.awaitReady();
			Suspension suspension = Suspension.begin(first);
			Grant grant = second.acquire(SuspendedHolder.NAME, SuspendedHolder.TTL, Duration.ofSeconds(30))
				.orElseThrow();
			StoppedHolderTests.addOne(this.resources, grant);
			first.finish();
			waking.accept(suspension, clock);
			first.awaitIdle();
			grant.release();
			List<String> lines = Files.readAllLines(first.log());
			assertThat(grant.fence()).isGreaterThan(fence(lines));
			return lines;
		}
	}

	private static long fence(List<String> lines) {
		return lines.stream()
			.filter((line) -> line.startsWith(SuspendedHolder.FENCE))
			.mapToLong((line) -> Long.parseLong(line.substring(SuspendedHolder.FENCE.length())))
			.findFirst()
			.orElseThrow();
	}

}
