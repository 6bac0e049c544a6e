package dev.redlock.test.lateholder;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LeaseSnapshot;
import dev.redlock.spring.template.ReactiveCurrentLease;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reports each access of the call under test to a database or another service to the
 * current {@link Run}, which may delay the access.
 */
final class Steps {

	/**
	 * The threads of the library, for example of the job history and of leader election.
	 * They may have inherited a mark, and never work for a call.
	 */
	private static final Pattern OURS = Pattern.compile("redlock-(jobs|missed|leader(?!-async))-.*");

	private final Supplier<List<LeaseSnapshot>> leases;

	private volatile @Nullable Run current;

	private volatile List<String> excludedThreads = List.of();

	Steps(Supplier<List<LeaseSnapshot>> leases) {
		this.leases = leases;
	}

	Run run(int stopAt, boolean marked, List<String> excludedThreads) {
		Run run = new Run(stopAt, marked,
				this.leases.get().stream().map(LeaseSnapshot::resources).collect(Collectors.toSet()));
		this.excludedThreads = excludedThreads;
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
		return begin(name, new Transaction());
	}

	Touch begin(String name, Transaction transaction) {
		try {
			// A process that is really paused does not notice interrupts, so an interrupt
			// does not end the wait.
			return arrive(name, transaction, Mark.current(), CurrentLease.all(), Requests.onThread()).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof CrashError crash) {
				throw crash;
			}
			throw ex;
		}
	}

	Mono<Touch> beginInFlow(String name) {
		return beginInFlow(name, new Transaction());
	}

	/**
	 * Reports that a reactive flow begins to access a database or another service. A
	 * freeze blocks the thread only if the thread, and not the flow, holds the lock.
	 */
	Mono<Touch> beginInFlow(String name, Transaction transaction) {
		return Mono.deferContextual((context) -> {
			if (CurrentLease.get().isPresent()) {
				return Mono.just(begin(name, transaction));
			}
			Mark mark = context.<@Nullable Mark>getOrDefault(Mark.KEY, null);
			return Mono.fromFuture(arrive(name, transaction, (mark != null) ? mark : Mark.current(),
					ReactiveCurrentLease.all(context), Requests.inFlow(context)));
		});
	}

	/**
	 * A task that an earlier run left behind, such as an asynchronous audit, does not
	 * belong to the call.
	 * @return a stage that completes when the call may access the service, and fails if
	 * the test simulates a crash
	 */
	private CompletableFuture<Touch> arrive(String name, Transaction transaction, @Nullable Mark mark, List<Lease> held,
			boolean request) {
		Run run = this.current;
		String thread = Thread.currentThread().getName();
		if (run == null || OURS.matcher(thread).matches() || (mark != null && mark.certain() && mark.run() != run)
				|| this.excludedThreads.stream().anyMatch(thread::startsWith)) {
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		List<LeaseSnapshot> all = this.leases.get();
		Mark owner = run.owner(mark, transaction.owner(), held, all);
		if (owner == null) {
			return CompletableFuture.completedFuture(request ? Touch.UNWATCHED : run.foreign(name, thread));
		}
		transaction.belongsTo(owner);
		if (owner.rival()) {
			run.recordRivalAccess(all);
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		return run.arrive(name, owner, held, all);
	}

}
