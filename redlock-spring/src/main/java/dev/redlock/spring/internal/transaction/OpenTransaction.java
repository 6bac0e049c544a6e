package dev.redlock.spring.internal.transaction;

import java.util.List;
import java.util.stream.Stream;

import dev.redlock.spring.internal.lease.GrantedLease;

/**
 * What a call knows about the transaction around it.
 *
 * @param leases the leases that this transaction and its outer transactions keep
 * @param open whether the transaction has neither committed nor rolled back
 * @param writing whether the open transaction may have written; false if it is read-only
 */
public record OpenTransaction(List<GrantedLease> leases, boolean open, boolean writing) {

	public static final OpenTransaction NONE = new OpenTransaction(List.of(), false, false);

	public static OpenTransaction ofThread() {
		return LeasesHeldByTransaction.SPRING_TX_PRESENT
				? new OpenTransaction(TransactionHold.leases(), TransactionHold.isOpen(), TransactionHold.isWriting())
				: NONE;
	}

	/**
	 * Adds the leases that a transaction of the thread keeps.
	 */
	public OpenTransaction with(List<GrantedLease> more) {
		return more.isEmpty() ? this : new OpenTransaction(Stream.concat(this.leases.stream(), more.stream()).toList(),
				this.open, this.writing);
	}

}
