package dev.redlock.sample.demo;

import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.sample.shop.Customer;
import org.jspecify.annotations.Nullable;

/**
 * A customer that reports each step of the purchase.
 */
final class Purchase implements Customer {

	private final TurnListener listener;

	private final Pace pace;

	private final IntSupplier sold;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile Turn turn;

	private int soldBefore;

	/**
	 * The time when this purchase stopped using the stock, 0 before that. The lock is
	 * released after it, so this time and not the later one shows who overlapped whom.
	 */
	private long doneMicros;

	Purchase(Turn turn, TurnListener listener, Pace pace, IntSupplier sold) {
		this.turn = turn;
		this.listener = listener;
		this.pace = pace;
		this.sold = sold;
		listener.turnChanged(turn);
	}

	@Override
	public void decide() {
		Lease lease = CurrentLease.get().orElse(null);
		change((now) -> now.holding(Micros.now(), (lease != null) ? lease.fence() : 0));
		if (protection().locks()) {
			this.soldBefore = this.sold.getAsInt();
		}
		if (lease != null) {
			// This runs on another thread, also while this thread pauses.
			lease.lost().thenAccept((reason) -> change((now) -> now.lost(Micros.now())));
		}
		try {
			think(lease);
		}
		catch (CancellationException ex) {
			this.doneMicros = Micros.now();
			throw ex;
		}
	}

	@Override
	public void written() {
		this.doneMicros = Micros.now();
	}

	Protection protection() {
		return this.turn.protection();
	}

	/**
	 * Whether another buyer has bought since this purchase read the stock. The books
	 * cannot tell: the buyer that has the lock now may be about to write, and hides for a
	 * moment that this purchase wrote an old number.
	 */
	boolean overwroteOthers() {
		return this.sold.getAsInt() > this.soldBefore + 1;
	}

	Turn ended(Turn.Phase how, String why) {
		long endMicros = (this.doneMicros > 0) ? this.doneMicros : Micros.now();
		return change((now) -> now.ended(endMicros, how, why));
	}

	private void think(@Nullable Lease lease) {
		if (lease != null && this.pace.takePause(protection())) {
			change(Turn::standingStill);
			this.pace.outlive(lease);
		}
		else {
			this.pace.think();
		}
	}

	/**
	 * Tells the listener under the lock. Otherwise the loss of the lock, which comes on
	 * another thread, could be told after the end of the purchase, as if it went on.
	 */
	private Turn change(UnaryOperator<Turn> step) {
		this.lock.lock();
		try {
			Turn next = step.apply(this.turn);
			this.turn = next;
			this.listener.turnChanged(next);
			return next;
		}
		finally {
			this.lock.unlock();
		}
	}

}
