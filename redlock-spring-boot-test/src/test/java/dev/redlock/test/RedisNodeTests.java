package dev.redlock.test;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RedisNodeTests {

	@AutoClose
	private final RedisNode node = RedisNode.start("a");

	@Test
	void keepsNothingAndNeverEvicts() {
		assertThat(this.node.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
		assertThat(this.node.command("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
		assertThat(this.node.command("CONFIG", "GET", "maxmemory-policy"))
			.isEqualTo(List.of("maxmemory-policy", "noeviction"));
	}

	@Test
	void repliesKeepTheirTypes() {
		assertThat(this.node.command("SET", "k", "größer\r\nals")).isEqualTo("OK");
		assertThat(this.node.command("GET", "k")).isEqualTo("größer\r\nals");
		assertThat(this.node.command("GET", "missing")).isNull();
		assertThat(this.node.command("INCR", "n")).isEqualTo(1L);
		assertThat(this.node.command("SET", "k", "v", "NX")).isNull();
		assertThat(this.node.command("EVAL", "return {1, 'two', {3}, false}", "0"))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly(1L, "two", List.of(3L), null);
	}

	@Test
	void errorOfTheServerIsThrownWithoutTheArguments() {
		assertThatIllegalStateException().isThrownBy(() -> this.node.command("SET", "k", "secret", "NONSENSE"))
			.withMessageContaining("refused SET: ERR")
			.withMessageContaining(this.node.toString())
			.withMessageNotContaining("secret");
	}

	@Test
	void killedNodeDoesNotRun() {
		this.node.kill();
		assertThat(this.node.isRunning()).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.node.command("PING"))
			.withMessageContaining("does not run");
		assertThatIllegalStateException().isThrownBy(this.node::freeze).withMessageContaining("does not run");
	}

	@Test
	void restartKeepsThePortAndLosesTheData() {
		int port = this.node.port();
		Object runId = runId();
		this.node.command("SET", "k", "v");
		this.node.kill();
		this.node.restartEmpty();
		assertThat(this.node.port()).isEqualTo(port);
		assertThat(this.node.command("GET", "k")).isNull();
		assertThat(runId()).isNotEqualTo(runId);
	}

	@Test
	void durableNodeKeepsItsDataWhenItIsRestartedWithThem() {
		try (RedisNode durable = RedisNode.startDurable("d")) {
			int port = durable.port();
			durable.command("SET", "k", "v");
			durable.restartWithData();
			assertThat(durable.command("GET", "k")).isEqualTo("v");
			durable.freeze();
			durable.restartWithData();
			assertThat(durable.command("GET", "k")).isEqualTo("v");
			durable.restartEmpty();
			assertThat(durable.command("GET", "k")).isNull();
			assertThat(durable.port()).isEqualTo(port);
		}
		assertThatIllegalStateException().isThrownBy(this.node::restartWithData).withMessageContaining("on disk");
	}

	@Test
	void frozenNodeDoesNotAnswerUntilItIsThawedAndKeepsItsData() {
		this.node.command("SET", "k", "v");
		this.node.freeze();
		assertThat(this.node.isRunning()).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> this.node.command("PING")).withMessageContaining("frozen");
		this.node.thaw();
		assertThat(this.node.command("GET", "k")).isEqualTo("v");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void nodeListensOnTheAddressThatItIsStartedWith() {
		try (RedisNode other = RedisNode.start("other", RedisBinary.locate(), "127.0.0.2")) {
			assertThat(other.host()).isEqualTo("127.0.0.2");
			assertThat(other.command("PING")).isEqualTo("PONG");
			other.restartEmpty();
			other.cutOff();
			other.reconnect();
			assertThat(other.command("PING")).isEqualTo("PONG");
			assertThatThrownBy(() -> Resp.connect("127.0.0.1", other.port(), Duration.ofSeconds(1)))
				.isInstanceOf(ConnectException.class);
		}
	}

	@Test
	void nodeThatIsCutOffBreaksConnectionsAndRefusesNewOnesAndKeepsItsData() throws Exception {
		this.node.command("SET", "k", "v");
		try (Resp client = Resp.connect(this.node.host(), this.node.port(), Duration.ofSeconds(5))) {
			client.call("PING");
			this.node.cutOff();
			this.node.cutOff();
			assertThat(this.node.isCutOff()).isTrue();
			assertThat(this.node.isRunning()).isTrue();
			assertThatThrownBy(() -> client.call("PING")).isInstanceOf(IOException.class);
		}
		assertThatThrownBy(() -> Resp.connect(this.node.host(), this.node.port(), Duration.ofSeconds(1)))
			.isInstanceOf(ConnectException.class);
		assertThatIllegalStateException().isThrownBy(() -> this.node.command("PING")).withMessageContaining("cut off");
		this.node.reconnect();
		assertThat(this.node.isCutOff()).isFalse();
		assertThat(this.node.command("GET", "k")).isEqualTo("v");
	}

	@Test
	void interruptedThreadCanStillEndANode() {
		Thread.currentThread().interrupt();
		try {
			this.node.restartEmpty();
			this.node.close();
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(this.node.isRunning()).isFalse();
	}

	private Object runId() {
		return String.valueOf(this.node.command("INFO", "server"))
			.lines()
			.filter((line) -> line.startsWith("run_id:"))
			.findFirst()
			.orElseThrow();
	}

}
