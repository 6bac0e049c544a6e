package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An {@code Error} of a listener is logged and changes nothing: neither the verdict, nor
 * the renewal, nor the loss, nor the release.
 */
class ListenerErrorTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	@RegisterExtension
	final LockWorld world = new LockWorld(3);

	static Stream<Arguments> errorsInHooks() {
		return Stream.of("requested", "voted", "ended", "renewed", "holdEnded", "leaseLost")
			.flatMap((hook) -> Stream
				.<Error>of(new AssertionError("of a listener"), new StackOverflowError("of a listener"),
						new OutOfMemoryError("of a listener"))
				.map((error) -> Arguments.of(hook, error)));
	}

	@ParameterizedTest(name = "{1} in {0}")
	@MethodSource("errorsInHooks")
	void anErrorOfTheOnlyListenerChangesNothing(String hook, Error error) {
		useThroughAllHooks(listened(new Failing(hook, error)));
	}

	@ParameterizedTest(name = "{1} in {0}")
	@MethodSource("errorsInHooks")
	void anErrorOfOneListenerOfSeveralChangesNothingAndTheOthersAreTold(String hook, Error error) {
		Failing wellBehaved = new Failing("none", error);
		Redlock redlock = listened(new Failing(hook, error));
		redlock.addListener(wellBehaved);
		useThroughAllHooks(redlock);
		assertThat(wellBehaved.told).contains("requested", "voted", "ended", "renewed", "holdEnded", "leaseLost");
	}

	@Test
	void aLeaseWhoseListenerFailsIsStillClosedByItsWork() {
		Redlock redlock = listened(new Failing("ended", new AssertionError("of a listener")));
		try (Lease lease = redlock.attemptInScope(STOCK).orThrow()) {
			assertThat(lease.isValid()).isTrue();
		}
		assertThat(this.world.heldOn("stock")).isZero();
	}

	private void useThroughAllHooks(Redlock redlock) {
		Lease renewed = redlock.attemptAndWait(STOCK).orThrow();
		this.world.time.advance(Duration.ofSeconds(15));
		assertThat(renewed.isValid()).isTrue();
		renewed.close();
		assertThat(this.world.heldOn("stock")).isZero();
		Lease lost = completed(redlock.attempt(STOCK)).orThrow();
		this.world.nodes.forEach(InMemoryNode::down);
		this.world.time.advance(Duration.ofSeconds(11));
		assertThat(lost.lost().toCompletableFuture()).isCompletedWithValue(LossReason.EXPIRED);
		this.world.nodes.forEach(InMemoryNode::up);
		redlock.attemptAndWait(STOCK).orThrow().close();
		assertThat(redlock.waiters()).isEmpty();
	}

	private Redlock listened(RedlockListener listener) {
		return this.world.another(LockWorld.renewing(Duration.ofMinutes(10)), 2, listener);
	}

	private static final class Failing implements RedlockListener, RequestListener {

		private final List<String> told = new ArrayList<>();

		private final String hook;

		private final Error error;

		Failing(String hook, Error error) {
			this.hook = hook;
			this.error = error;
		}

		@Override
		public RequestListener requested(LockRequest request) {
			tell("requested");
			return this;
		}

		@Override
		public void leaseLost(Lease lease, LossReason reason) {
			tell("leaseLost");
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			tell("voted");
		}

		@Override
		public void ended(LockAttempt attempt) {
			tell("ended");
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			tell("renewed");
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			tell("holdEnded");
		}

		private void tell(String name) {
			this.told.add(name);
			if (name.equals(this.hook)) {
				throw this.error;
			}
		}

	}

}
