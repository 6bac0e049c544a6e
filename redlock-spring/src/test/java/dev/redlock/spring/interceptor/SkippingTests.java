package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a call does that may be skipped and does not get the lock, for each kind of call.
 */
@ExtendWith(OutputCaptureExtension.class)
class SkippingTests {

	private static final String SKIPPED = "because the nodes could not say whether another owner holds its lock";

	private final LockWorld world = new LockWorld();

	@ParameterizedTest
	@EnumSource
	void aHeldLockIsSkipped(Kind kind) {
		LockedContexts.with(this.world, Jobs.class, (jobs) -> {
			this.world.hold("job");
			assertThat(kind.run(jobs)).isEmpty();
			assertThat(kind.runAlways(jobs)).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aMissingQuorumIsNotSkipped(Kind kind) {
		LockedContexts.with(this.world, Jobs.class, (jobs) -> {
			this.world.loseQuorum();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> kind.run(jobs))
				.satisfies((refusal) -> assertThat(refusal.reason()).isEqualTo(Reason.NO_QUORUM));
		});
	}

	@ParameterizedTest
	@EnumSource
	void aMissingQuorumIsSkippedWhereThatIsAskedForAndToldOnce(Kind kind, CapturedOutput output) {
		LockedContexts.with(this.world, Jobs.class, (jobs) -> {
			this.world.loseQuorum();
			for (int i = 0; i < 3; i++) {
				assertThat(kind.runAlways(jobs)).isEmpty();
			}
			assertThat(output).containsOnlyOnce(SKIPPED).contains("WARN").contains("NO_QUORUM");
			this.world.nodes.forEach(InMemoryNode::up);
			assertThat(kind.runAlways(jobs)).contains("done");
		});
	}

	@Test
	void aSplitVoteIsNotSkippedThoughTheFirstVotesLookLikeAHolder() {
		LockedContexts.with(this.world, Jobs.class, (jobs) -> {
			startsTogetherWithTwoOthers();
			CompletableFuture<String> job = jobs.mono().toFuture();
			assertThat(job).as("one of the others may have a majority").isNotDone();
			this.world.nodes.get(1).up();
			assertThatExceptionOfType(CompletionException.class).isThrownBy(job::join)
				.withCauseInstanceOf(LockNotAcquiredException.class)
				.withMessageContaining("SPLIT_VOTE");
		});
	}

	@Test
	void aJobThatMaySkipAlwaysDoesNotWaitForTheReason() {
		LockedContexts.with(this.world, Jobs.class, (jobs) -> {
			startsTogetherWithTwoOthers();
			assertThat(jobs.futureAlways()).isCompletedWithValue(null);
		});
	}

	/**
	 * Each of two others has one node. The node of the second one answers late, and the
	 * third node is down.
	 */
	private void startsTogetherWithTwoOthers() {
		List<InMemoryNode> nodes = this.world.nodes;
		nodes.get(0).acquire(new Claim(List.of("redlock:job"), "1|one", Duration.ofSeconds(9)), Claim.UNFENCED);
		nodes.get(1).acquire(new Claim(List.of("redlock:job"), "2|two", Duration.ofSeconds(9)), Claim.UNFENCED);
		nodes.get(1).freeze();
		nodes.get(2).down();
	}

	enum Kind {

		BLOCKING(Jobs::blocking, Jobs::blockingAlways),

		FUTURE((jobs) -> joined(jobs.future()), (jobs) -> joined(jobs.futureAlways())),

		REACTIVE((jobs) -> jobs.mono().blockOptional(), (jobs) -> jobs.monoAlways().blockOptional());

		private final Function<Jobs, Optional<String>> run;

		private final Function<Jobs, Optional<String>> runAlways;

		Kind(Function<Jobs, Optional<String>> run, Function<Jobs, Optional<String>> runAlways) {
			this.run = run;
			this.runAlways = runAlways;
		}

		Optional<String> run(Jobs jobs) {
			return this.run.apply(jobs);
		}

		Optional<String> runAlways(Jobs jobs) {
			return this.runAlways.apply(jobs);
		}

		private static Optional<String> joined(CompletableFuture<String> future) {
			try {
				return Stream.ofNullable(future.join()).findFirst();
			}
			catch (CompletionException ex) {
				throw (LockNotAcquiredException) ex.getCause();
			}
		}

	}

	static class Jobs {

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP)
		public Optional<String> blocking() {
			return Optional.of("done");
		}

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP)
		public CompletableFuture<String> future() {
			return CompletableFuture.completedFuture("done");
		}

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP)
		public Mono<String> mono() {
			return Mono.just("done");
		}

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP_ALWAYS)
		public Optional<String> blockingAlways() {
			return Optional.of("done");
		}

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP_ALWAYS)
		public CompletableFuture<String> futureAlways() {
			return CompletableFuture.completedFuture("done");
		}

		@RedLock(resource = "job", waitFor = "0", onFailure = OnFailure.SKIP_ALWAYS)
		public Mono<String> monoAlways() {
			return Mono.just("done");
		}

	}

}
