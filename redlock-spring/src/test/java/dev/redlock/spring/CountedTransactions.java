package dev.redlock.spring;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Transactions of nothing. A new one begins inside of every other one, as with two
 * managers.
 */
@SuppressWarnings("serial")
public final class CountedTransactions extends AbstractPlatformTransactionManager {

	private transient int commits;

	public int commits() {
		return this.commits;
	}

	@Override
	protected Object doGetTransaction() {
		return this;
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		this.commits++;
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
	}

}
