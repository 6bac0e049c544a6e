package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;

import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of a registry, with the exceptions of Spring Integration.
 */
final class RegistryLock extends ThreadLock implements DistributedLock {

	RegistryLock(RedLockOperations operations, ThreadLeases leases, LockRequest request, Duration defaultTtl) {
		super(operations, leases, request, defaultTtl);
	}

	@Override
	RuntimeException translate(RuntimeException failure) {
		return (failure instanceof LockLostException)
				? new ConcurrentModificationException(failure.getMessage(), failure)
				: new CannotAcquireLockException(failure.getMessage(), failure);
	}

}
