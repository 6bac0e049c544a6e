package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.List;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.EmbeddedRedlock;
import dev.redlock.test.RedisNode;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = { SnippetApplication.class, SecondQuorum.class, SpreadTests.BatchNodes.class })
@EmbeddedRedlock(nodes = 3)
class SpreadTests {

	@Test
	void aSecondLockStandsBesideTheFirst(@Autowired Redlock first, @Autowired @Qualifier("batchLock") Redlock second,
			@Autowired RedLockOperations template, @Autowired @Qualifier("batchTemplate") RedLockTemplate batch) {
		assertThat(first.nodes()).hasSize(3);
		assertThat(second.nodes()).hasSize(1);
		String both = template.execute("x", Duration.ofSeconds(5),
				(lease) -> batch.execute("x", Duration.ofSeconds(5), (other) -> "both"));
		assertThat(both).isEqualTo("both");
	}

	@Test
	void aNameAlwaysGoesToTheSameInstances() {
		assertThat(Spread.spread("stock:1")).isEqualTo(Spread.spread("stock:1"));
		assertThat(List.of("a", "b").stream().map((name) -> Spread.spread(name).instances()).distinct()).hasSize(2);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class BatchNodes {

		@Bean(destroyMethod = "close")
		RedisNode batchServer() {
			return RedisNode.start("batch");
		}

		@Bean(defaultCandidate = false)
		LockNodes batchNodes(RedisNode server) {
			LockNodes nodes = LockNodes.with(RedlockSettings.DEFAULTS)
				.restartGuard(false)
				.lettuce("batch", (shared) -> new LettuceConnectionFactory(server.host(), server.port()))
				.build();
			nodes.start();
			nodes.awaitFirstVerdicts(Duration.ofSeconds(5));
			return nodes;
		}

	}

}
