package dev.redlock;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that gives up while its request wins the lock releases the lease.
 */
class GivenUpTooLateTests {

	private static final Duration LONGEST = Duration.ofSeconds(30);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	private final AtomicReference<LockAttempt> attempt = new AtomicReference<>();

	private final Thread asking = new Thread(
			() -> this.attempt.set(this.world.redlock.attemptAndWait(LockRequest.of("stock"))));

	@Test
	void aLeaseThatIsWonWhileItsThreadGivesUpIsReleased() throws InterruptedException {
		askInVain();
		this.world.time.post(() -> {
			this.asking.interrupt();
			// It waits for the loop, which handles this event.
			awaitState(State.WAITING);
			this.world.nodes.forEach(InMemoryNode::up);
		});
		ended(this.asking);
		assertThat(this.attempt.get().reason()).contains(Reason.INTERRUPTED);
		assertThat(this.world.heldOn("stock")).isZero();
	}

	private void askInVain() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.asking.start();
		awaitState(State.TIMED_WAITING);
	}

	private void awaitState(State state) {
		Awaitility.await().atMost(LONGEST).until(this.asking::getState, state::equals);
	}

}
