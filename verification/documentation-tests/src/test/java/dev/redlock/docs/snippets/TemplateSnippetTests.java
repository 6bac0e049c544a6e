package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.CurrentLease;
import dev.redlock.Inspection;
import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spring.fencing.FencedResource;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the page about the template shows.
 */
@SpringBootTest(classes = SnippetApplication.class)
@EmbeddedRedlock
class TemplateSnippetTests {

	@Autowired
	private RedLockOperations template;

	@Autowired
	private ReactiveRedLockTemplate reactive;

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
	void tryAcquire() {
		boolean done = false;
		Optional<Lease> found = this.template.tryAcquire(LockRequest.of("report").withWaitFor(Duration.ZERO));
		if (found.isPresent()) {
			try (Lease lease = found.get()) {
				done = lease.isValid();
			}
		}
		assertThat(done).isTrue();
	}

	@Test
	void reasons() {
		assertThat(answer("report:1")).isEqualTo("done");
	}

	String answer(String name) {
		try {
			return this.template.execute(name, Duration.ofSeconds(10), (lease) -> "done");
		}
		catch (LockNotAcquiredException ex) {
			return switch (ex.reason()) {
				case TICK_TAKEN, TICK_LOST -> "this tick of the job does not run here";
				case HELD -> "try again later: " + ex.holder().orElse("another process") + " has it";
				case SPLIT_VOTE, FENCE_NOT_SETTLED -> "try again now: perhaps the lock is free";
				case NO_QUORUM, TIMED_OUT, VALIDITY_EXHAUSTED -> "no lock now: " + ex.getMessage();
				case INTERRUPTED, SHUTTING_DOWN -> "this process stops";
			};
		}
	}

	@Test
	void async() throws Exception {
		// region: template-async
		CompletableFuture<String> report = this.template.executeAsync(LockRequest.of("report"),
				(lease) -> CompletableFuture.supplyAsync(() -> "written under fence " + lease.fence()));
		// endregion
		assertThat(report.get(5, TimeUnit.SECONDS)).startsWith("written under");
	}

	@Test
	void reactive() {
		Mono<String> report = this.reactive.execute(LockRequest.of("report"),
				(lease) -> Mono.fromSupplier(() -> "written under fence " + lease.fence()));
		assertThat(report.block(Duration.ofSeconds(5))).startsWith("written under");
	}

	@Test
	void extend() {
		int done = 0;
		try (Lease lease = this.template.acquire(LockRequest.of("import").withTtl(Duration.ofSeconds(10)))) {
			lease.lost().thenAccept((reason) -> System.err.println("Stop working: " + reason));
			for (int page = 0; page < 3 && lease.isValid(); page++) {
				if (lease.remaining().toSeconds() < 5) {
					lease.extend(Duration.ofSeconds(10));
				}
				done++;
			}
		}
		assertThat(done).isEqualTo(3);
	}

	@Test
	void inspect() throws Exception {
		Inspection inspection = this.redlock.inspect("stock:42").toCompletableFuture().get();
		String answer = inspection.verdict() + " " + inspection.nodes();
		assertThat(answer).startsWith("FREE");
	}

	@Test
	void currentLease() {
		long fence = this.template.execute("stock:1", Duration.ofSeconds(5), (lease) -> deepDown());
		assertThat(fence).isPositive();
	}

	long deepDown() {
		return CurrentLease.require().fence();
	}

	@Test
	void fencedResource() {
		FencedResource printer = new FencedResource("printer");

		printer.claim(17); // the first holder begins, pauses and loses its lock
		printer.claim(18); // the next holder begins

		assertThatThrownBy(() -> printer.access(17, () -> "late write")).isInstanceOf(StaleFenceException.class);
		assertThat(printer.<String>access(18, () -> "printed")).isEqualTo("printed");
	}

}
