package dev.redlock.docs.snippets;

import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the examples of the page about permits.
 */
@SpringBootTest(classes = { SnippetApplication.class, Scanner.class })
@EmbeddedRedlock
class ScannerTests {

	@Test
	void aCallWithAPermitRuns(@Autowired Scanner scanner) {
		scanner.scan();
		scanner.scanInCode();
		assertThat(scanner.pages()).isEqualTo(2);
	}

}
