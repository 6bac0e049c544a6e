package dev.redlock.spring.fencing;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once for each guard if a claim is committed alone, because a former holder could
 * then write between the claim and the write.
 */
final class ClaimTransactions {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.spring.fencing");

	private final AtomicBoolean warned = new AtomicBoolean();

	private final String table;

	ClaimTransactions(String table) {
		this.table = table;
	}

	/**
	 * @param autoCommit whether the connection of the claim is in no transaction
	 */
	void claimed(boolean autoCommit) {
		if (autoCommit && this.warned.compareAndSet(false, true)) {
			logger.warn("A claim on the table {} was made outside of a transaction, so a later holder may claim the "
					+ "row before your write. Either call claim(…) in the transaction of the write, for example by "
					+ "@Transactional on the method with @RedLock, or add AND fence = ? to the condition of each "
					+ "write, and check that the write changed a row. Each guard logs this warning once.", this.table);
		}
	}

}
