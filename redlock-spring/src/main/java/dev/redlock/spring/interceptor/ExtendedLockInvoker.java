package dev.redlock.spring.interceptor;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods that an extension runs.
 */
final class ExtendedLockInvoker implements LockInvoker {

	private final LockedMethodExtension.Runner runner;

	private final BlockingLockInvoker invoker;

	ExtendedLockInvoker(LockedMethodExtension.Runner runner, BlockingLockInvoker invoker) {
		this.runner = runner;
		this.invoker = invoker;
	}

	@Override
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) throws Throwable {
		return this.runner.run(operations, request, new ExtendedCall(call));
	}

	private final class ExtendedCall implements LockedMethodExtension.Call {

		private final LockCall call;

		private ExtendedCall(LockCall call) {
			this.call = call;
		}

		@Override
		public @Nullable Object proceed() {
			return ExtendedLockInvoker.this.invoker.run(this.call);
		}

		@Override
		public @Nullable Object skip() {
			return Skip.emptyValue(this.call.method().getReturnType());
		}

		@Override
		public @Nullable Object answer(LockNotAcquiredException failure) throws Throwable {
			return this.call.answer(failure);
		}

		@Override
		public LockedMethodExtension.Call copy() {
			return new ExtendedCall(this.call.copy());
		}

	}

}
