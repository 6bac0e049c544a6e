package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.Inspection.Verdict;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class PermitTests {

	private static final int PERMITS = 3;

	private static final LockRequest ONE = LockRequest.of("ocr").withPermits(PERMITS);

	private static final LockRequest AT_ONCE = ONE.withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	@Test
	void asManyOwnersAsPermitsHoldTheNameAtTheSameTime() {
		List<Lease> held = takeAll(this.world.redlock);
		assertThat(held).allSatisfy((lease) -> {
			assertThat(lease.isValid()).isTrue();
			assertThat(lease.resources()).containsExactly("ocr");
		});
		assertThat(keys()).containsExactlyInAnyOrder("redlock:ocr#1", "redlock:ocr#2", "redlock:ocr#3");
		assertThat(completed(this.world.redlock.attempt(AT_ONCE)).reason()).contains(Reason.HELD);
		assertThat(completed(this.world.other.attempt(AT_ONCE)).reason()).contains(Reason.HELD);
	}

	@Test
	void thePermitsThatAnotherProcessHoldsAreSeenWhereTheyAreHeld() {
		LockRequest some = ONE.withInstances("a", "b", "c").withWaitFor(Duration.ZERO);
		for (int i = 0; i < PERMITS; i++) {
			completed(this.world.other.attempt(some)).orThrow();
		}
		List<Inspection> seen = completed(this.world.redlock.inspectPermits(some));
		assertThat(seen).extracting(Inspection::resource).containsExactly("ocr#1", "ocr#2", "ocr#3");
		assertThat(seen).extracting(Inspection::verdict).containsOnly(Verdict.HELD);
		assertThat(completed(this.world.other.inspectPermits(LockRequest.of("ocr"))))
			.as("by their holder, who need not name the nodes")
			.extracting(Inspection::verdict)
			.containsOnly(Verdict.HELD);
		assertThat(completed(this.world.redlock.inspectPermits(LockRequest.of("lock")))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void theReleaseOfAnyPermitWakesAWaiterOfAnotherProcess(int released) {
		List<Lease> held = takeAll(this.world.redlock);
		CompletionStage<LockAttempt> waiting = this.world.other.attempt(ONE);
		assertThat(waiting).isNotDone();
		held.get(released).close();
		this.world.time.advance(Duration.ofMillis(50));
		assertThat(completed(waiting).orThrow().isValid()).isTrue();
	}

	@Test
	void aWaiterGetsThePermitWhoseClaimEndsFirst() {
		for (int seconds : new int[] { 60, 5, 60 }) {
			this.world.acquire(this.world.other, AT_ONCE.withTtl(Duration.ofSeconds(seconds)));
		}
		CompletableFuture<LockAttempt> waiting = this.world.attempt(ONE.withWaitFor(Duration.ofSeconds(30)));
		this.world.time.advance(Duration.ofSeconds(6));
		assertThat(completed(waiting).lease()).isPresent();
	}

	@Test
	void aRequestThatIsCancelledWhileItReadsThePermitsKeepsNoneFromLaterRequests() {
		LockRequest only = AT_ONCE.withPermits(1);
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.world.attempt(only).cancel(false);
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(completed(this.world.attempt(only)).lease()).isPresent();
	}

	@Test
	void aRequestThatCountsMorePermitsDoesNotWaitBehindOneThatHasToWait() {
		takeAll(this.world.other);
		CompletionStage<LockAttempt> waiting = this.world.redlock.attempt(ONE);
		CompletionStage<LockAttempt> more = this.world.redlock.attempt(ONE.withPermits(PERMITS + 1));
		assertThat(waiting).isNotDone();
		assertThat(completed(more).lease()).isPresent();
	}

	@Test
	void waitersOfOneProcessGetPermitsInTheOrderOfTheirRequests() {
		List<Lease> held = takeAll(this.world.redlock);
		List<CompletionStage<LockAttempt>> waiting = new ArrayList<>();
		for (int i = 0; i < PERMITS; i++) {
			waiting.add(this.world.redlock.attempt(ONE));
		}
		for (int i = 0; i < PERMITS; i++) {
			held.get(i).close();
			this.world.time.advance(Duration.ofMillis(50));
			assertThat(completed(waiting.get(i)).orThrow().isValid()).isTrue();
			assertThat(waiting.subList(i + 1, PERMITS)).allMatch((later) -> !later.toCompletableFuture().isDone());
		}
	}

	@Test
	void aPermitHasNoFenceAndSaysWhy() {
		Lease permit = this.world.acquire(AT_ONCE);
		assertThat(permit.isPermit()).isTrue();
		assertThatIllegalStateException().isThrownBy(permit::fence)
			.withMessage("The lock on [ocr] has 3 permits, so its leases have no fence: a fence cannot guard data that"
					+ " several owners write. Guard the data by a lock without permits.");
		assertThat(this.world.acquire(this.world.now("lock")).isPermit()).isFalse();
	}

	@Test
	void whoHasAPermitAsksForNoOther() {
		List<Lease> held = takeAll(this.world.redlock);
		CompletionStage<LockAttempt> waiting = this.world.other.attempt(ONE);
		held.get(0).close();
		this.world.time.advance(Duration.ofMillis(50));
		LockAttempt won = completed(waiting);
		assertThat(won.orThrow().isValid()).isTrue();
		assertThat(won.tries()).isGreaterThan(2);
		int asked = this.world.counted.get(0).acquires.get();
		held.subList(1, PERMITS).forEach(Lease::close);
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.world.counted.get(0).acquires).hasValue(asked);
	}

	/** Three processes ask, hold, cancel and release at random, with nodes that fail. */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void thereAreNeverMoreOwnersThanPermitsAndEachRequestEnds(long seed) {
		LockWorld distant = LockWorld.distant(seed, 5);
		List<Redlock> processes = List.of(distant.distantProcess(), distant.distantProcess(), distant.distantProcess());
		SplittableRandom random = new SplittableRandom(seed);
		List<CompletableFuture<LockAttempt>> asked = new ArrayList<>();
		Set<Lease> held = new HashSet<>();
		int won = 0;
		for (int i = 0; i < 400; i++) {
			switch (random.nextInt(6)) {
				case 0, 1 -> asked.add(processes.get(random.nextInt(3)).attempt(ONE).toCompletableFuture());
				case 2 -> held.stream().skip(random.nextInt(held.size() + 1)).findFirst().ifPresent(Lease::close);
				case 3 -> asked.stream()
					.skip(random.nextInt(asked.size() + 1))
					.findFirst()
					.ifPresent((one) -> one.cancel(true));
				case 4 -> distant.nodes.get(random.nextInt(2)).down();
				default -> distant.nodes.get(random.nextInt(2)).up();
			}
			distant.time.advance(Duration.ofMillis(random.nextInt(30)));
			for (CompletableFuture<LockAttempt> one : List.copyOf(asked)) {
				if (one.isDone()) {
					asked.remove(one);
					if (!one.isCancelled()) {
						won += one.join().lease().map(held::add).orElse(false) ? 1 : 0;
					}
				}
			}
			held.removeIf((lease) -> !lease.isValid());
			assertThat(held).hasSizeLessThanOrEqualTo(PERMITS);
		}
		distant.time.advance(LockWorld.TOO_LONG);
		assertThat(asked).allMatch(CompletableFuture::isDone);
		assertThat(won).isGreaterThan(10);
		processes.forEach(Redlock::close);
	}

	@Test
	void aClientThatCountsOtherPermitsIsNoticedOnce() {
		Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock.lease");
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		logger.addAppender(logged);
		try {
			Lease one = this.world.acquire(this.world.other, this.world.now("ocr").withPermits(1));
			for (int i = 0; i < 20; i++) {
				this.world.acquire(AT_ONCE).close();
			}
			assertThat(logged.list).singleElement()
				.extracting(ILoggingEvent::getFormattedMessage)
				.asString()
				.contains("For the lock on [ocr], another client sets permits = 1 and this client sets permits = 3",
						"same number of permits on all clients");
			one.close();
		}
		finally {
			logger.detachAppender(logged);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 3 })
	void aRefusedRequestSendsFourCommandsToEachNodeAtMost(int seconds) {
		LockRequest many = LockRequest.of("ocr").withPermits(100).withTtl(Duration.ofSeconds(10));
		for (int i = 0; i < 100; i++) {
			this.world.acquire(this.world.other, many.withWaitFor(Duration.ZERO));
		}
		CountingNode node = this.world.counted.get(0);
		int before = node.commands();
		CompletableFuture<LockAttempt> refused = this.world.attempt(many.withWaitFor(Duration.ofSeconds(seconds)));
		this.world.time.advance(Duration.ofSeconds(4));
		assertThat(completed(refused).reason()).contains(Reason.HELD);
		assertThat(node.commands() - before).isLessThanOrEqualTo(4);
	}

	/**
	 * More calls than permits at the same moment, without a wait. Each process claims the
	 * same free permits, so some of them go to no process.
	 */
	@ParameterizedTest
	@CsvSource({ "1, 80, 1.0", "3, 90, 0.8" })
	void aCrowdGetsThePermitsThatThereAreAndIsToldThatTheyAreHeld(int processes, int least, double held) {
		List<CompletableFuture<LockAttempt>> calls = crowd(processes);
		List<Reason> refusals = calls.stream().flatMap((call) -> call.join().reason().stream()).toList();
		assertThat(calls.size() - refusals.size()).isBetween(least, 100);
		assertThat((double) Collections.frequency(refusals, Reason.HELD))
			.isGreaterThanOrEqualTo(refusals.size() * held);
	}

	private static List<CompletableFuture<LockAttempt>> crowd(int processes) {
		LockWorld distant = LockWorld.distant(processes, 5);
		List<CompletableFuture<LockAttempt>> calls = new ArrayList<>();
		for (int i = 0; i < processes; i++) {
			Redlock process = distant.distantProcess();
			for (int j = 0; j < 400 / processes; j++) {
				calls.add(process.attempt(LockRequest.of("ocr").withPermits(100).withWaitFor(Duration.ZERO))
					.toCompletableFuture());
			}
		}
		distant.time.advance(Duration.ofSeconds(1));
		assertThat(calls).allMatch(CompletableFuture::isDone);
		return calls;
	}

	@Test
	void requestsForPermitsThatCannotBeAreRefusedWithAdvice() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").withPermits(-1))
			.withMessage("permits must be a number from 1 to 1000, or 0 for a lock without permits, not -1");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a", "b").withPermits(2))
			.withMessageContaining("must have exactly one name, not [a, b]");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LockRequest.of("a").withTick(Tick.at(0, Duration.ofMinutes(1))).withPermits(2))
			.withMessageContaining("cannot have permits");
	}

	private static List<Lease> takeAll(Redlock redlock) {
		List<Lease> held = new ArrayList<>();
		for (int i = 0; i < PERMITS; i++) {
			held.add(completed(redlock.attempt(AT_ONCE)).orThrow());
		}
		return held;
	}

	private Set<String> keys() {
		Set<String> keys = new HashSet<>();
		this.world.nodes.forEach((node) -> keys.addAll(node.tokens().keySet()));
		return keys;
	}

}
