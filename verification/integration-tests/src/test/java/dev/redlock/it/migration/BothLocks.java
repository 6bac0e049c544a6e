package dev.redlock.it.migration;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;

/**
 * The release in between: what runs holds the former lock and the next one.
 */
class BothLocks {

	private final Lock former;

	private final Lock next;

	BothLocks(Lock former, Lock next) {
		this.former = former;
		this.next = next;
	}

	<T> T call(Callable<T> work) throws Exception {
		this.former.lock();
		try {
			this.next.lock();
			try {
				return work.call();
			}
			finally {
				this.next.unlock();
			}
		}
		finally {
			this.former.unlock();
		}
	}

}
