package dev.redlock.test;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedisBinaryTests {

	@TempDir
	private Path directory;

	@Test
	void serverOnThePathIsPreferred() throws Exception {
		Path server = serverOnPath();
		assertThat(RedisBinary.locate(null, "/nowhere:" + this.directory)).isEqualTo(server);
		assertThat(RedisBinary.locate("process", this.directory.toString())).isEqualTo(server);
	}

	@Test
	void embeddedBinaryRuns() {
		try (RedisNode node = RedisNode.launch("a", RedisBinary.locate("embedded", null))) {
			node.awaitReady();
			assertThat(node.command("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void serverThatIsNamedByItsPathIsUsed() throws Exception {
		Path named = Files.move(serverOnPath(), this.directory.resolve("valkey-server"));
		assertThat(RedisBinary.locate(named.toString(), "/nowhere")).isEqualTo(named);
	}

	@Test
	void serverThatIsNamedByItsPathNeverFallsBack() throws Exception {
		serverOnPath();
		assertThatIllegalStateException()
			.isThrownBy(() -> RedisBinary.locate("/no/redis-server", this.directory.toString()))
			.withMessageContaining("-Dredlock.test.redis=/no/redis-server names no program");
	}

	@Test
	void machineWithoutEmbeddedBinaryIsToldWhatToInstall() {
		assertThatIllegalStateException()
			.isThrownBy(() -> RedisBinary.embedded(RedisBinary.embeddedName("Linux", "riscv64")))
			.withMessageContaining("linux-riscv64")
			.withMessageContaining("Install redis-server");
	}

	@ParameterizedTest
	@CsvSource({ "Linux,amd64,linux-amd64", "Linux,aarch64,linux-arm64", "Mac OS X,x86_64,darwin-amd64",
			"Mac OS X,aarch64,darwin-arm64" })
	void binaryIsThereForEachSystem(String os, String architecture, String suffix) {
		String name = RedisBinary.embeddedName(os, architecture);
		assertThat(name).endsWith(suffix);
		assertThat(getClass().getResource("/" + name)).isNotNull();
	}

	private Path serverOnPath() throws Exception {
		Path server = Files.createFile(this.directory.resolve("redis-server"));
		assertThat(server.toFile().setExecutable(true)).isTrue();
		return server;
	}

}
