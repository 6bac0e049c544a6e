package dev.redlock.spring.template;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a call knows about the transaction around it.
 *
 * @param leases the leases that this transaction and its outer transactions keep
 * @param open whether the transaction has neither committed nor rolled back
 * @param writing whether the open transaction may have written; false if it is read-only
 */
record OpenTransaction(List<GrantedLease> leases, boolean open, boolean writing) {

	static final OpenTransaction NONE = new OpenTransaction(List.of(), false, false);

	static OpenTransaction ofThread() {
		return LeasesHeldByTransaction.SPRING_TX_PRESENT
				? new OpenTransaction(TransactionHold.leases(), TransactionHold.isOpen(), TransactionHold.isWriting())
				: NONE;
	}

	/**
	 * Adds the leases that a transaction of the thread keeps.
	 */
	OpenTransaction with(List<GrantedLease> more) {
		return more.isEmpty() ? this
				: new OpenTransaction(Stream.concat(this.leases.stream(), more.stream()).toList(), this.open, this.writing);
	}

}
