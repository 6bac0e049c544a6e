package dev.redlock.docs.snippets;

import java.time.Duration;

import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;
import dev.redlock.test.EmbeddedRedlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the example of the page about leaders.
 */
@SpringBootTest(classes = { SnippetApplication.class, Importer.class })
@EmbeddedRedlock
class ImporterTests {

	@Test
	void theLeaderImportsAndIsToldOfItsTerm(@Autowired Importer importer, @Autowired LeaderTemplate leaders) {
		LeaderRole role = leaders.role("importer");
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(role::isLeader);
		importer.importNext();
		importer.store();
		importer.importIfLeader();
		assertThat(importer.imports()).isEqualTo(3);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> importer.term() == role.term().orElseThrow());
		role.yield();
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> importer.term() == 0);
	}

}
