package dev.redlock.test;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static dev.redlock.test.assertj.LockAssertions.assertThatLock;
import static org.assertj.core.api.Assertions.assertThat;

@ScriptedRedlock(nodes = 3)
class ScriptedRedlockTests {

	@RepeatedTest(2)
	void eachTestHasNodesOfItsOwnOnTimeThatStandsStill(ScriptedNodes nodes) {
		assertThat(nodes.asList()).hasSize(3);
		assertThatLock(nodes.redlock(), "left behind").isFree();
		nodes.redlock().attemptAndWait(LockRequest.of("left behind")).orThrow();
		nodes.time().advance(Duration.ofSeconds(1));
	}

	@Nested
	class InANestedClass {

		@Test
		void thereAreAsManyNodes(ScriptedNodes nodes) {
			assertThat(nodes.asList()).hasSize(3);
		}

	}

}
