package dev.redlock.test;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RedisNodesTests {

	@Test
	void nodesAreNamedIndependentAndEndTogether() {
		List<RedisNode> started;
		try (RedisNodes nodes = RedisNodes.start(5)) {
			started = nodes.asList();
			assertThat(started).extracting(RedisNode::name).containsExactly("a", "b", "c", "d", "e");
			assertThat(started).extracting(RedisNode::port).doesNotHaveDuplicates();
			assertThat(nodes.get("b")).isSameAs(nodes.get(1));
			nodes.get("b").command("SET", "k", "v");
			assertThat(nodes.get("c").command("GET", "k")).isNull();
		}
		assertThat(started).noneMatch(RedisNode::isRunning);
	}

	@Test
	void healBringsUpEachNode() {
		try (RedisNodes nodes = RedisNodes.start(3)) {
			nodes.get(0).kill();
			nodes.get(1).freeze();
			nodes.heal();
			assertThat(nodes.asList()).allMatch((node) -> "PONG".equals(node.command("PING")));
		}
	}

}
