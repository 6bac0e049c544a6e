package dev.redlock.docs.snippets;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.test.EmbeddedRedlock;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

// region: testing-embedded
@SpringBootTest(classes = SnippetApplication.class, properties = "redlock.wait-for=1s")
@EmbeddedRedlock
class TestingSnippetTests {

	@Test
	void sellingGoesOnWithTwoNodesDown(@Autowired Shop shop, RedisNodes nodes) {
		nodes.get("a").kill();
		nodes.get("b").freeze();
		assertThatNoException().isThrownBy(() -> shop.reserve("book"));
	}

	@Test
	void nothingIsSoldWithoutAMajority(@Autowired Shop shop, RedisNodes nodes) {
		nodes.asList().subList(0, 3).forEach((node) -> node.kill());
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> shop.reserve("book"))
			.matches((ex) -> ex.reason() == LockNotAcquiredException.Reason.NO_QUORUM);
	}

}
// endregion
