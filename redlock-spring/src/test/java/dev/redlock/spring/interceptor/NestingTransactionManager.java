package dev.redlock.spring.interceptor;

import reactor.core.publisher.Mono;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * A manager of reactive transactions that write nothing, and may suspend each other.
 */
@SuppressWarnings("serial") // Serializable only by inheritance.
public final class NestingTransactionManager extends AbstractReactiveTransactionManager {

	private static final Object KEY = NestingTransactionManager.class;

	@Override
	protected Object doGetTransaction(TransactionSynchronizationManager current) {
		return current.hasResource(KEY);
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return transaction.equals(true);
	}

	@Override
	protected Mono<Void> doBegin(TransactionSynchronizationManager current, Object transaction,
			TransactionDefinition definition) {
		return Mono.fromRunnable(() -> current.bindResource(KEY, new Object()));
	}

	@Override
	protected Mono<Object> doSuspend(TransactionSynchronizationManager current, Object transaction) {
		return Mono.fromSupplier(() -> current.unbindResource(KEY));
	}

	@Override
	protected Mono<Void> doResume(TransactionSynchronizationManager current, Object transaction, Object suspended) {
		return Mono.fromRunnable(() -> current.bindResource(KEY, suspended));
	}

	@Override
	protected Mono<Void> doCommit(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
		return Mono.empty();
	}

	@Override
	protected Mono<Void> doRollback(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
		return Mono.empty();
	}

	@Override
	protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager current, Object transaction) {
		return Mono.fromRunnable(() -> current.unbindResource(KEY));
	}

}
