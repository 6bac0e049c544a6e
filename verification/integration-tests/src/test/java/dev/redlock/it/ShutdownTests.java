package dev.redlock.it;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ShutdownTests {

	@AutoClose
	private final RedisNodes nodes = RedisNodes.start(5);

	@Test
	void sigtermLeavesNoKeyOnAnyReachableNode() throws InterruptedException {
		String[] arguments = StringUtils.concatenateStringArrays(arguments(this.nodes),
				new String[] { "--redlock.node-timeout=2s" });
		try (ChildProcess child = ChildProcess.start(HoldingProcess.class, arguments)) {
			child.await("holding");
			assertThat(lockKeys()).hasSize(15);
			this.nodes.get(4).kill();
			child.terminate();
		}
		assertThat(lockKeys()).isEmpty();
	}

	private List<String> lockKeys() {
		List<String> keys = new ArrayList<>();
		for (RedisNode node : this.nodes.asList()) {
			if (node.isRunning()) {
				((List<?>) node.command("KEYS", "redlock:held:*")).forEach((key) -> keys.add(node.name() + " " + key));
			}
		}
		return keys;
	}

	static String[] arguments(RedisNodes nodes) {
		List<String> arguments = new ArrayList<>();
		for (RedisNode node : nodes.asList()) {
			arguments.add("--redlock.instances." + node.name() + ".host=" + node.host());
			arguments.add("--redlock.instances." + node.name() + ".port=" + node.port());
		}
		arguments.add("--redlock.restart-guard.enabled=false");
		return arguments.toArray(String[]::new);
	}

}
