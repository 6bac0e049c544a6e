package dev.redlock.sample.buyers;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.sample.shop.Customer;
import org.jspecify.annotations.Nullable;

/**
 * A customer that reports each step of the purchase.
 */
final class Purchase implements Customer {

	private final AtomicReference<Turn> turn;

	private final TurnListener listener;

	private final Pace pace;

	Purchase(Turn turn, TurnListener listener, Pace pace) {
		this.turn = new AtomicReference<>(turn);
		this.listener = listener;
		this.pace = pace;
		listener.turnChanged(turn);
	}

	@Override
	public void decide() {
		Lease lease = CurrentLease.get().orElse(null);
		change((now) -> now.holding(Micros.now(), (lease != null) ? lease.fence() : 0));
		if (lease != null) {
			// This runs on another thread, also while this thread pauses.
			lease.lost().thenAccept((reason) -> change((now) -> now.lost(Micros.now())));
		}
		think(lease);
	}

	@SuppressWarnings("NullAway") // The reference is never empty.
	Protection protection() {
		return this.turn.get().protection();
	}

	Turn ended(Turn.Phase how, String why) {
		return change((now) -> now.ended(Micros.now(), how, why));
	}

	private void think(@Nullable Lease lease) {
		if (lease != null && this.pace.takePause()) {
			change(Turn::standingStill);
			this.pace.outlive(lease);
		}
		else {
			this.pace.think();
		}
	}

	@SuppressWarnings("NullAway") // The reference is never empty.
	private Turn change(UnaryOperator<Turn> step) {
		Turn next = this.turn.updateAndGet(step);
		this.listener.turnChanged(next);
		return next;
	}

}
