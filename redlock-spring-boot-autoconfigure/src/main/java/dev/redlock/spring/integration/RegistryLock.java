package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;

import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of one registry, with the exceptions of Spring Integration. It has no state: two
 * objects for the same key are one lock.
 */
final class RegistryLock extends ThreadLock implements DistributedLock {

	private final RedlockLockRegistry registry;

	RegistryLock(RedlockLockRegistry registry, RedLockOperations operations, ThreadHolds holds, LockRequest request,
			Duration defaultTtl) {
		super(operations, holds, request, defaultTtl);
		this.registry = registry;
	}

	@Override
	RuntimeException translate(RuntimeException failure) {
		return (failure instanceof LockLostException)
				? new ConcurrentModificationException(failure.getMessage(), failure)
				: new CannotAcquireLockException(failure.getMessage(), failure);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RegistryLock that && this.registry == that.registry
				&& request().resources().equals(that.request().resources());
	}

	@Override
	public int hashCode() {
		return request().resources().hashCode();
	}

}
