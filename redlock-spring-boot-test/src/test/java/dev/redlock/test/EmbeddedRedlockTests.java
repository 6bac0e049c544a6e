package dev.redlock.test;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedRedlock(nodes = 3)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedRedlockTests {

	private final RedisNodes nodes;

	EmbeddedRedlockTests(RedisNodes nodes) {
		this.nodes = nodes;
	}

	@Test
	@Order(1)
	void constructorAndMethodsAreGivenTheSameNodes(RedisNodes nodes) {
		assertThat(nodes).isSameAs(this.nodes);
		assertThat(nodes.asList()).hasSize(3).allMatch(RedisNode::isRunning);
		nodes.get("a").kill();
		nodes.get("b").freeze();
	}

	@Test
	@Order(2)
	void eachTestBeginsWithAllNodesUp() {
		assertThat(this.nodes.asList()).allMatch((node) -> "PONG".equals(node.command("PING")));
	}

	@Nested
	class InANestedClass {

		@Test
		void nodesAreThoseOfTheOuterClass(RedisNodes nodes) {
			assertThat(nodes).isSameAs(EmbeddedRedlockTests.this.nodes);
		}

	}

	@Nested
	@EmbeddedRedlock(nodes = 1)
	class InANestedClassThatAsksForAnotherNumber {

		@Test
		void thereAreAsManyNodesAsItAsksFor(RedisNodes nodes) {
			assertThat(nodes.asList()).hasSize(1);
			assertThat(EmbeddedRedlockTests.this.nodes.asList()).hasSize(3);
		}

		@RepeatedTest(2)
		void nodesOfTheClassAroundItAreHealedToo() {
			assertThat(EmbeddedRedlockTests.this.nodes.asList()).allMatch(RedisNode::isRunning);
			EmbeddedRedlockTests.this.nodes.get("a").kill();
		}

		@Nested
		class AndOneInside {

			@Test
			void nodesAreThoseOfTheClassAroundIt(RedisNodes nodes) {
				assertThat(nodes.asList()).hasSize(1);
			}

		}

	}

}
