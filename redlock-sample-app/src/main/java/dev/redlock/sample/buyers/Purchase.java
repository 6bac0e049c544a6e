package dev.redlock.sample.buyers;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.sample.shop.Customer;
import org.jspecify.annotations.Nullable;

/**
 * A customer who reports how the purchase goes on.
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
			// Told by the end of its validity, even while this thread stands still.
			lease.lost().thenAccept((reason) -> change((now) -> now.lost(Micros.now())));
		}
		think(lease);
	}

	@SuppressWarnings("NullAway") // There is a turn from the start.
	Protection protection() {
		return this.turn.get().protection();
	}

	Turn ended(Turn.Phase how, String why) {
		return change((now) -> now.ended(Micros.now(), how, why));
	}

	private void think(@Nullable Lease lease) {
		if (lease != null && this.pace.standsStill()) {
			change(Turn::standingStill);
			this.pace.outlive(lease);
		}
		else {
			this.pace.think();
		}
	}

	@SuppressWarnings("NullAway") // There is a turn from the start.
	private Turn change(UnaryOperator<Turn> step) {
		Turn next = this.turn.updateAndGet(step);
		this.listener.turnChanged(next);
		return next;
	}

}
