package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.redlock.nemesis.proxy.Link;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.nemesis.proxy.Traffic.Flow;
import dev.redlock.test.RedisNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each fault of the network between hosts, on one server and two clients.
 */
class HostNetworkTests {

	@TempDir
	private Path directory;

	private HostNetwork network;

	private RedisNode server;

	@BeforeEach
	void start() {
		try {
			this.network = HostNetwork.create(1, 2, this.directory);
		}
		catch (HostNetwork.Unavailable ex) {
			assumeTrue(false, ex.getMessage());
		}
		this.server = this.network.start("a", null);
	}

	@AfterEach
	void stop() throws Exception {
		if (this.server != null) {
			this.server.close();
		}
		if (this.network != null) {
			this.network.close();
			assertThat(output("ip netns list; ip link"))
				.doesNotContain(this.network.inside("a").get(3).replace("-a", ""));
		}
	}

	@Test
	void oneClientIsCutOffAndTheOtherIsNot() throws Exception {
		Link link = this.network.link(0, this.server);
		await().until(() -> answers(0));
		link.set(Traffic.PARTITION);
		link.set(Traffic.PARTITION);
		assertThat(answers(0)).isFalse();
		await().until(() -> answers(1));
		link.set(Traffic.CLEAR);
		await().until(() -> answers(0));
		link.set(Traffic.CLEAR.with(Flow.PASS, Flow.HOLD));
		assertThat(answers(0)).isFalse();
		link.set(Traffic.CLEAR);
		link.setRoute(false);
		link.setRoute(false);
		assertThat(answers(0)).isFalse();
		await().until(() -> answers(1));
		link.setRoute(true);
		link.setRoute(true);
		await().until(() -> answers(0));
	}

	@Test
	void withoutItsCableAServerIsGoneForAll() throws Exception {
		this.network.setCable(this.server, false);
		assertThat(answers(0)).isFalse();
		this.network.setCable(this.server, true);
		await().until(() -> answers(0));
		await().until(() -> answers(1));
	}

	@Test
	void aConnectionIsResetOrLosesItsServerSide() throws Exception {
		assertThat(afterwards(() -> this.network.link(0, this.server).reset())).isEqualTo("reset");
		assertThat(afterwards(() -> this.network.link(0, this.server).halfOpen())).isEqualTo("reset");
		assertThat(afterwards(() -> this.network.link(1, this.server).reset())).isEqualTo("+PONG");
	}

	/**
	 * Whether the server answers within a second, which one lost packet may take.
	 */
	private boolean answers(int client) throws Exception {
		return "+PONG"
			.equals(onClient(client, "exec 3<>/dev/tcp/%s; echo PING >&3; read -t 1 reply <&3; echo ${reply%%%%?}"));
	}

	/**
	 * What a client gets on an old connection after a fault.
	 */
	private String afterwards(Runnable fault) throws Exception {
		Process process = client(0, "exec 3<>/dev/tcp/%s; echo ready; read go; echo PING >&3;"
				+ " read -t 1 reply <&3; echo ${reply%%%%?}");
		try (BufferedReader reader = process.inputReader()) {
			assertThat(reader.readLine()).isEqualTo("ready");
			fault.run();
			process.getOutputStream().write('\n');
			process.getOutputStream().flush();
			return reader.lines().collect(Collectors.joining()).contains("+PONG") ? "+PONG" : "reset";
		}
	}

	private String onClient(int client, String script) throws Exception {
		try (BufferedReader reader = client(client, "timeout 1 bash -c '" + script + "'").inputReader()) {
			return reader.lines().collect(Collectors.joining("\n"));
		}
	}

	private Process client(int client, String script) throws IOException {
		List<String> command = new ArrayList<>(this.network.clientPrefix(client));
		String address = this.server.host() + "/" + this.server.port();
		command.addAll(List.of("bash", "-c", script.formatted(address)));
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
	}

	private static String output(String script) throws Exception {
		Process process = new ProcessBuilder("sh", "-c", script).start();
		return new String(process.getInputStream().readAllBytes());
	}

}
