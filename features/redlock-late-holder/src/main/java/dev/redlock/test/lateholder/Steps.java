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
 * Receives each access to a watched bean, and lets the current run decide when the access
 * may happen. This class is thread-safe.
 */
final class Steps {

	/** The key in the Reactor context that marks a flow of the rival. */
	static final Object RIVAL = Steps.class;

	private final Supplier<List<LeaseSnapshot>> leases;

	private final ThreadLocal<Boolean> rival = ThreadLocal.withInitial(() -> false);

	private volatile @Nullable Run current;

	/**
	 * Creates an object without a run.
	 * @param leases the leases that the application holds now
	 */
	Steps(Supplier<List<LeaseSnapshot>> leases) {
		this.leases = leases;
	}

	/**
	 * Begins a run.
	 * @param stopAt the step before which the call is frozen, 0 for none
	 */
	Run run(int stopAt) {
		Run run = new Run(stopAt, this.leases.get().stream().map(LeaseSnapshot::resources).collect(Collectors.toSet()));
		this.current = run;
		return run;
	}

	void end() {
		this.current = null;
	}

	/**
	 * Begins an access to a watched bean, and blocks the thread while the call is frozen.
	 */
	Touch begin(String name) {
		try {
			// The wait ignores interrupts, because a paused process does not notice
			// interrupts.
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
	 * Begins an access of a flow without blocking. If a locked thread waits for the flow,
	 * the flow stays on that thread, because its lease is found on that thread.
	 */
	Mono<Touch> beginInFlow(String name) {
		return Mono.deferContextual((context) -> CurrentLease.get().isPresent() ? Mono.just(begin(name))
				: Mono.fromFuture(arrive(name, context.hasKey(RIVAL), ReactiveCurrentLease.find(context))));
	}

	/**
	 * Begins an access.
	 * @param held the lease under which the access happens, if known
	 * @return completes when the access may happen; exceptionally if the call has crashed
	 */
	private CompletableFuture<Touch> arrive(String name, boolean ofRival, Optional<Lease> held) {
		Run run = this.current;
		if (run != null && ofRival) {
			run.ofRival(this.leases.get());
		}
		if (run == null || ofRival) {
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		return run.arrive(name, held.orElse(null), this.leases.get());
	}

	/**
	 * Records that a rollback undoes the earlier writes. A rollback is no step.
	 */
	void rolledBack() {
		Run run = this.current;
		if (run != null && !this.rival.get()) {
			run.rolledBack();
		}
	}

	/**
	 * Marks the accesses of a thread as those of the rival, which is never stopped.
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
