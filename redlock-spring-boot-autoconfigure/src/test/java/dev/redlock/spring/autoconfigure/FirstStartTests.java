package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What an application is told that asks for a lock while its new servers wait.
 */
class FirstStartTests extends ThreeServers {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@Test
	void whileAllServersWaitTheFirstSentenceSaysUntilWhenAndThatItHappensOnce() {
		Instant start = Instant.now().minusSeconds(1);
		three().withPropertyValues("redlock.restart-guard.enabled=true").run((context) -> {
			awaitQuarantined(context, 3);
			String sentence = firstSentence(context);
			assertThat(sentence).startsWith("The lock on [stock] was not acquired: NO_QUORUM, ").contains("once");
			Matcher until = Pattern.compile("until (\\S+Z)").matcher(sentence);
			assertThat(until.find()).as(sentence).isTrue();
			assertThat(Instant.parse(until.group(1))).isBetween(start.plusSeconds(30), Instant.now().plusSeconds(31));
		});
	}

	@Test
	void whileOneServerIsDownTheFirstSentenceSaysToCheckTheNodes() {
		three().withPropertyValues("redlock.restart-guard.enabled=true", "redlock.instances.c.port=1")
			.run((context) -> {
				awaitQuarantined(context, 2);
				assertThat(firstSentence(context)).contains("check the nodes below").doesNotContain("until");
			});
	}

	private static void awaitQuarantined(ApplicationContext context, int nodes) {
		LockNodes all = context.getBean(LockNodes.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(15))
			.until(() -> all.list()
				.stream()
				.filter((node) -> node.status().state() == State.QUARANTINED)
				.count() == nodes);
	}

	private static String firstSentence(ApplicationContext context) {
		RedLockOperations locks = context.getBean(RedLockOperations.class);
		return String
			.valueOf(catchThrowableOfType(LockNotAcquiredException.class, () -> locks.acquire(STOCK)).getMessage())
			.lines()
			.findFirst()
			.orElseThrow();
	}

}
