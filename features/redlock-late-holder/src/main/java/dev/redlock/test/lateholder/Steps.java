package dev.redlock.test.lateholder;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LeaseSnapshot;
import dev.redlock.spring.template.ReactiveCurrentLease;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reports each access of the application to a database or another service to the current
 * {@link Run}, which may delay the access.
 */
final class Steps {

	/** The key in the Reactor context that marks the reactive flow of the rival call. */
	static final Object RIVAL = Steps.class;

	private final Supplier<List<LeaseSnapshot>> leases;

	private final ThreadLocal<Boolean> rival = ThreadLocal.withInitial(() -> false);

	private volatile @Nullable Run current;

	Steps(Supplier<List<LeaseSnapshot>> leases) {
		this.leases = leases;
	}

	Run run(int stopAt) {
		Run run = new Run(stopAt, this.leases.get().stream().map(LeaseSnapshot::resources).collect(Collectors.toSet()));
		this.current = run;
		return run;
	}

	void end() {
		this.current = null;
	}

	/**
	 * Reports that an access to a database or another service begins, and blocks while
	 * the call under test is frozen.
	 */
	Touch begin(String name) {
		try {
			// A process that is really paused does not notice interrupts, so an interrupt
			// does not end the wait.
			return arrive(name, this.rival.get(), CurrentLease.get()).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof CrashError crash) {
				throw crash;
			}
			throw ex;
		}
	}

	/**
	 * Reports that a reactive flow begins to access a database or another service. A
	 * freeze blocks the thread only if the thread, and not the flow, holds the lock.
	 */
	Mono<Touch> beginInFlow(String name) {
		return Mono.deferContextual((context) -> CurrentLease.get().isPresent() ? Mono.just(begin(name))
				: Mono.fromFuture(arrive(name, context.hasKey(RIVAL), ReactiveCurrentLease.find(context))));
	}

	/**
	 * @return a stage that completes when the call may access the service, and fails if
	 * the test simulates a crash
	 */
	private CompletableFuture<Touch> arrive(String name, boolean ofRival, Optional<Lease> held) {
		Run run = this.current;
		if (run != null && ofRival) {
			run.recordRivalAccess(this.leases.get());
		}
		if (run == null || ofRival) {
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		return run.arrive(name, held.orElse(null), this.leases.get());
	}

	/**
	 * Records that a rollback undoes the earlier writes of the transaction.
	 */
	void rolledBack() {
		Run run = this.current;
		if (run != null && !this.rival.get()) {
			run.rolledBack();
		}
	}

	/**
	 * Marks the work as part of the rival call, which the test never freezes.
	 */
	Callable<?> asRival(Callable<?> work) {
		return () -> {
			this.rival.set(true);
			try {
				return work.call();
			}
			finally {
				this.rival.remove();
			}
		};
	}

}
