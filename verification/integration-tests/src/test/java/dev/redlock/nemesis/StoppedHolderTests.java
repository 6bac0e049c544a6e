package dev.redlock.nemesis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.nemesis.LockDriver.Grant;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class StoppedHolderTests {

	@AutoClose
	private final RedisNodes nodes = RedisNodes.start(5);

	@TempDir
	private Path directory;

	@AutoClose
	private final ResourceServer resources = ResourceServer.start(new Resources());

	@Test
	void aHolderThatWasStoppedForLongerThanItsTtlIsToldOnWakingAndItsLateWriteIsRefused() throws Exception {
		List<String> servers = servers(this.nodes);
		List<String> arguments = new ArrayList<>(List.of(this.resources.address()));
		arguments.addAll(servers);
		try (ClientProcess first = ClientProcess.start(List.of(), "first", this.directory, SuspendedHolder.class,
				arguments); RedlockDriver second = new RedlockDriver()) {
			second.connect(servers, false, SuspendedHolder.PROPERTIES);
			first.awaitReady();
			first.freeze();
			Grant grant = second.acquire(SuspendedHolder.NAME, SuspendedHolder.TTL, Duration.ofSeconds(20))
				.orElseThrow();
			addOne(this.resources, grant);
			first.finish();
			first.thaw();
			first.awaitIdle();
			grant.release();
			assertThat(Files.readAllLines(first.log())).containsSubsequence("ready", "valid false",
					"nested was told of the loss", "late write " + Resources.REFUSED, "the call was told of the loss");
		}
	}

	static List<String> servers(RedisNodes nodes) {
		return nodes.asList().stream().map((node) -> node.host() + ":" + node.port()).toList();
	}

	static void addOne(ResourceServer resources, Grant grant) throws Exception {
		try (ResourceClient client = new ResourceClient(resources.address())) {
			long read = client.claim(SuspendedHolder.NAME, grant.fence());
			assertThat(read).isZero();
			assertThat(client.writeChecked(SuspendedHolder.NAME, grant.fence(), read)).isEqualTo(1);
		}
	}

}
