package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

	@ParameterizedTest
	@ValueSource(strings = { "requested", "voted", "ended", "renewed", "holdEnded", "leaseLost" })
	void anErrorOfOneListenerOfSeveralChangesNothingAndTheOthersAreTold(String hook) {
		List<String> told = new ArrayList<>();
		Redlock redlock = this.world.another(LockWorld.renewing(Duration.ofMinutes(10)), 2, hooks((name) -> {
			if (name.equals(hook)) {
				throw new AssertionError("of a listener");
			}
		}));
		redlock.addListener(hooks(told::add));
		useThroughAllHooks(redlock);
		assertThat(told).contains("requested", "voted", "ended", "renewed", "holdEnded", "leaseLost");
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

	private static RedlockListener hooks(Consumer<String> to) {
		return new AllHooks() {
			@Override
			protected void told(String hook, String what) {
				to.accept(hook);
			}
		};
	}

}
