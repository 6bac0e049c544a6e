package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page about the template shows.
 */
@SpringBootTest(classes = SnippetApplication.class)
@EmbeddedRedlock
class TemplateSnippetTests {

	@Autowired
	private RedLockOperations template;

	@Autowired
	private Redlock redlock;

	@Test
	void execute() {
		// region: template-execute
		LockRequest request = LockRequest.of("stock:42", "stock:43")
			.withTtl(Duration.ofSeconds(10))
			.withWaitFor(Duration.ofSeconds(2));
		Duration left = this.template.execute(request, (lease) -> lease.remaining());
		// endregion
		assertThat(left).isPositive().isLessThan(Duration.ofSeconds(10));
	}

	@Test
	void async() throws Exception {
		CompletableFuture<String> report = this.template.executeAsync(LockRequest.of("report"),
				(lease) -> CompletableFuture.supplyAsync(() -> "written under fence " + lease.fence()));
		assertThat(report.get(5, TimeUnit.SECONDS)).startsWith("written under");
	}

}
