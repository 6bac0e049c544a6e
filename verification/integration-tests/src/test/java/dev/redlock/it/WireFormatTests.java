package dev.redlock.it;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.it.LockedApplication.Service;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * With an empty key prefix, any standard Redlock client excludes ours and is excluded by
 * it.
 */
class WireFormatTests {

	@AutoClose
	private static final RedisNodes nodes = RedisNodes.start(5);

	@Test
	void aPlainSetOnThreeOfFiveKeepsUsOut() {
		try (ConfigurableApplicationContext context = LockedApplication.start(nodes, "redlock.key-prefix=",
				"test.wait-for=0")) {
			for (RedisNode node : nodes.asList().subList(0, 3)) {
				assertThat(node.command("SET", "order:1", "another client", "NX", "PX", "10000")).isEqualTo("OK");
			}
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> context.getBean(Service.class).locked("1", () -> "must not run"))
				.withMessageContaining("HELD");
		}
	}

	@Test
	void ourLeaseKeepsAPlainSetOutEverywhere() {
		try (ConfigurableApplicationContext context = LockedApplication.start(nodes, "redlock.key-prefix=")) {
			context.getBean(Service.class).locked("2", () -> {
				for (RedisNode node : nodes.asList()) {
					assertThat(node.command("SET", "order:2", "another client", "NX", "PX", "10000")).isNull();
					assertThat(node.command("TYPE", "order:2")).isEqualTo("string");
				}
				return "done";
			});
		}
	}

}
