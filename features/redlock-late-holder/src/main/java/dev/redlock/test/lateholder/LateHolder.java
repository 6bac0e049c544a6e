package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.LeaseSnapshot;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;
import dev.redlock.test.lateholder.Report.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Tests whether a locked method is safe if its process pauses until the lock has expired.
 * No lock can prevent its holder's process from pausing. <pre class="code">
 * lateHolder.given(() -&gt; openOrder(42))
 *   .call(() -&gt; checkout.pay(42))
 *   .verify(() -&gt; assertThat(provider.chargesOf(42)).hasSize(1));
 * </pre>
 * <p>
 * First, the call under test runs once without a pause. Each access to a database or
 * another service that the call makes under a lock is a step. Steps are statements and
 * commits of {@code DataSource} beans, requests of {@code RestClient},
 * {@code RestTemplate} and {@code WebClient} beans and their builders, and calls of
 * {@link #step}. For each step, the test freezes one call before the step, until its lock
 * has expired and a rival call has used the same lock. For each step, the test also ends
 * one call after the step, as a crash would.
 * <p>
 * A step belongs to the call by its thread, its database connection, its lease, or its
 * context: new threads, tasks of executor beans and reactive flows of the call are parts
 * of the call. A write of any other thread makes a step {@code UNJUDGED} and the test
 * fails, because the write may belong to the call, too. To leave out a thread, use
 * {@link Trial#excludeThreads}. The history of jobs is left out.
 * <p>
 * The call under test and the rival call run on separate threads. Tests that share an
 * application context run one after the other.
 */
public final class LateHolder {

	private static final Logger logger = LoggerFactory.getLogger(LateHolder.class);

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LateHolder.class.getClassLoader());

	private static final boolean LEADERS = ClassUtils.isPresent("dev.redlock.spring.leader.LeaderTemplate",
			LateHolder.class.getClassLoader());

	/**
	 * The time limit for the rival call, shorter than H2's lock timeout, because the
	 * frozen call may hold row locks.
	 */
	private static final Duration RIVAL = Duration.ofMillis(1_500);

	private static final Duration RUN = Duration.ofSeconds(10);

	private static final Callable<?> NONE = () -> "";

	private static final String SAME = "Let given(…) create the same state each time, and let the call wait for all "
			+ "work that it starts.";

	private final Steps steps;

	private final Servers servers;

	private final ApplicationContext context;

	private final ReentrantLock oneAtATime = new ReentrantLock();

	LateHolder(Steps steps, Servers servers, ApplicationContext context) {
		this.steps = steps;
		this.servers = servers;
		this.context = context;
	}

	/**
	 * Begins a trial.
	 * @param state creates the initial state before each run, on the thread of the test
	 */
	public Trial given(Action state) {
		return new Trial(state);
	}

	/**
	 * Adds a step for the use of a service that this class does not observe, for example
	 * a mock. Call {@code step} right before the service changes its data. {@code step}
	 * blocks while the call under test is frozen. Outside of {@link Trial#verify}, or if
	 * the caller holds no lock, {@code step} does nothing.
	 */
	public void step(String name) {
		this.steps.begin(name).wrote();
	}

	/**
	 * Lets all leases expire, and waits until this process leads its roles again, so that
	 * the rival may call {@code @LeaderOnly} methods.
	 */
	private void expire() {
		this.servers.expire();
		if (LEADERS && !isResting()) {
			this.servers.await("this process leads its roles again", RUN, () -> Roles.lead(this.context));
		}
	}

	/**
	 * Returns whether the application has roles, and does not lead them now.
	 */
	private boolean isResting() {
		return LEADERS && Roles.exist(this.context) && !leaders().isRunning();
	}

	private Lifecycle leaders() {
		return this.context.getBean(WatchedBeans.LEADERS, Lifecycle.class);
	}

	private void rest() {
		if (LEADERS && this.context.containsBean(WatchedBeans.LEADERS) && leaders().isRunning()) {
			leaders().stop();
		}
	}

	/**
	 * A piece of test code, which may throw any exception.
	 */
	@FunctionalInterface
	public interface Action {

		void run() throws Exception;

		private Callable<?> asCallable() {
			return () -> {
				run();
				return "";
			};
		}

	}

	/**
	 * The module redlock-leader is optional, so its types are used only in this nested
	 * class.
	 */
	private static final class Roles {

		private static boolean lead(ApplicationContext context) {
			return all(context).allMatch(LeaderRole::isLeader);
		}

		private static boolean exist(ApplicationContext context) {
			return context.containsBean(WatchedBeans.LEADERS) && all(context).findAny().isPresent();
		}

		private static Stream<LeaderRole> all(ApplicationContext context) {
			return context.getBeanProvider(LeaderTemplate.class)
				.stream()
				.flatMap((template) -> template.roles().stream());
		}

	}

	/**
	 * The call under test, the rival call, and the invariant that must hold after each
	 * run.
	 */
	public final class Trial {

		private final Action state;

		private Callable<?> call = NONE;

		private Callable<?> rival = NONE;

		private Action invariant = NONE::call;

		private Duration bound = RUN;

		private List<String> excludedThreads = List.of();

		private boolean leading;

		/**
		 * Whether the call makes its steps on threads that have its mark.
		 */
		private boolean marked;

		private Trial(Action state) {
			this.state = state;
		}

		/**
		 * Sets the call whose safety is tested.
		 * @param call calls a locked method; if the method returns a stage or a
		 * publisher, the test waits for its completion
		 */
		public Trial call(Callable<?> call) {
			this.call = call;
			return this;
		}

		/**
		 * Sets the call whose safety is tested.
		 */
		public Trial call(Action call) {
			return call(call.asCallable());
		}

		/**
		 * Sets what another process does while the call under test is frozen. By default,
		 * the rival call is a second run of the call under test.
		 * @param rival calls a locked method; if the method returns a stage or a
		 * publisher, the test waits for its completion
		 */
		public Trial rival(Callable<?> rival) {
			this.rival = rival;
			return this;
		}

		/**
		 * Sets what another process does while the call under test is frozen.
		 */
		public Trial rival(Action rival) {
			return rival(rival.asCallable());
		}

		/**
		 * Sets how long the call under test and the rival call may take in one run, 10 s
		 * by default.
		 */
		public Trial within(Duration bound) {
			this.bound = bound;
			return this;
		}

		/**
		 * Leaves out other work of the application: what these threads do is neither a
		 * step of the call, nor a reason not to judge a step.
		 * @param names names of threads, or the beginnings of names
		 */
		public Trial excludeThreads(String... names) {
			this.excludedThreads = List.of(names);
			return this;
		}

		/**
		 * Lets this process lead its roles during the trial. Otherwise, roles rest unless
		 * the call makes no step without them.
		 */
		public Trial leading() {
			this.leading = true;
			return this;
		}

		/**
		 * Repeats the call with a freeze or a crash at each step, prints a table, and
		 * fails if the invariant breaks.
		 * @param invariant checks the state after each run on the thread of the test, and
		 * throws if the state is wrong
		 * @throws IllegalStateException if the call cannot be tested; the message says
		 * what to change
		 */
		public void verify(Action invariant) {
			if (TRANSACTIONS && TransactionSynchronizationManager.isActualTransactionActive()) {
				throw new IllegalStateException("The test runs in a transaction of its own, so neither the call nor "
						+ "the rival would see the state that the test has set up. Remove @Transactional from the "
						+ "test, and clean up in given(…).");
			}
			if (this.call == NONE) {
				throw new IllegalStateException("The test has no call to check. Set the call by call(() -> …).");
			}
			this.invariant = invariant;
			LateHolder.this.oneAtATime.lock();
			try {
				Report report = run();
				if (report.isUnjudged()) {
					// The first run of an application may have other steps, for example
					// because Hibernate fetches several ids at once.
					report = run();
				}
				report.publish();
			}
			finally {
				rest();
				LateHolder.this.oneAtATime.unlock();
			}
		}

		private Report run() {
			Run undisturbed = first();
			List<String> names = undisturbed.steps();
			LeaseSnapshot lease = undisturbed.lease();
			if (lease == null) {
				throw noSteps(undisturbed);
			}
			Report report = new Report(lease, names.size());
			List<String> unwatched = UnwatchedBeans.in(LateHolder.this.context);
			if (!unwatched.isEmpty()) {
				report.note("The test does not watch the beans " + unwatched + ". Call lateHolder.step(\"…\") where "
						+ "the call uses these beans.");
			}
			if (isResting()) {
				report.note("The roles of this process rest. If the call needs to lead a role, add leading().");
			}
			if (undisturbed.isRivalWithoutLock()) {
				report.note("The rival never held the lock of the call, " + lease.resources()
						+ ". Let the rival call a method that takes the same lock.");
			}
			for (int i = 1; i <= names.size(); i++) {
				Result late = stopped(i, false, names, report);
				report.add(i, names.get(i - 1), late, (i < names.size()) ? stopped(i + 1, true, names, report) : null);
			}
			return report;
		}

		/**
		 * Returns a run without a pause. Lets this process lead its roles if the call
		 * makes no step otherwise.
		 */
		private Run first() {
			if (this.leading && isResting()) {
				leaders().start();
			}
			if (isResting()) {
				try {
					Run run = undisturbed();
					if (run.lease() != null) {
						return run;
					}
				}
				catch (IllegalStateException ex) {
					logger.debug("The call may need to lead a role", ex);
				}
				leaders().start();
			}
			return undisturbed();
		}

		private Run undisturbed() {
			Run run = begin(0);
			try {
				Throwable failure = start(run, false).await(this.bound);
				run.over();
				this.marked |= run.isMarked();
				if (failure != null) {
					throw new IllegalStateException("The call fails even without a pause: " + Report.reason(failure)
							+ ". Correct the state in given(…), or the call.", failure);
				}
				if (run.isMistaken()) {
					LateHolder.this.steps.end();
					return undisturbed();
				}
				expire();
				failure = start(run, true).await(this.bound);
				if (failure instanceof LockNotAcquiredException) {
					throw new IllegalStateException("The rival gets no lock even after the end of the call: "
							+ Report.reason(failure) + ". Let the call release each lock that it takes.", failure);
				}
			}
			finally {
				LateHolder.this.steps.end();
			}
			Throwable broken = check();
			if (broken != null) {
				throw new IllegalStateException("The invariant does not hold even if the rival runs after the end of "
						+ "the call: " + Report.reason(broken) + ". Correct verify(…) or the state in given(…).",
						broken);
			}
			return run;
		}

		private Work start(Run run, boolean rival) {
			return Work.start(new Mark(run, rival, true), (rival && this.rival != NONE) ? this.rival : this.call);
		}

		/**
		 * @param crash whether the frozen call ends instead of going on, as in a crash
		 */
		private Result stopped(int step, boolean crash, List<String> names, Report report) {
			Run run = begin(step);
			try {
				Work late = start(run, false);
				if (!late.endsWithin(this.bound, run.frozen()) || !run.frozen().isDone()) {
					Throwable failure = late.await(this.bound);
					report.note("Step " + step + " (" + names.get(step - 1) + ") of the call appears only in some "
							+ "runs. " + SAME
							+ ((failure != null) ? " This run failed before: " + Report.reason(failure) : ""));
					return new Result("the call did not reach this step", true, null);
				}
				if (!run.steps().equals(names.subList(0, step))) {
					report.note("Before step " + step + ", this run of the call had other steps than the first run: "
							+ run.steps() + ". " + SAME);
				}
				return rivalled(late, run, crash, report);
			}
			finally {
				// Even if the test was interrupted, the frozen call must end, because
				// it may hold a database connection.
				run.goOn(true);
				LateHolder.this.steps.end();
			}
		}

		private Result rivalled(Work late, Run run, boolean crash, Report report) {
			expire();
			if (crash) {
				run.goOn(true);
				late.await(this.bound);
				run.over();
			}
			Work other = start(run, true);
			boolean ended = other.endsWithin(RIVAL, new CompletableFuture<>());
			if (ended) {
				run.rivalEnded();
			}
			if (!crash) {
				run.goOn(false);
			}
			Throwable failure = late.await(this.bound);
			run.over();
			Throwable refused = other.await(this.bound);
			String outcome = (crash ? "" : run.outcome(failure)) + (ended ? "" : "; the rival had to wait")
					+ ((refused != null) ? "; rival: " + refused.getClass().getSimpleName() : "");
			if (!ended) {
				report
					.note("The rival had to wait: a row lock or the connection pool kept the rival out until the call "
							+ "went on. If the rival waited for the connection pool, give the pool as many connections "
							+ "as two calls need.");
			}
			foreignWrites(run).forEach(report::note);
			return new Result(outcome, !run.foreignWrites().isEmpty(), check());
		}

		private Run begin(int stopAt) {
			// Releases locks that an earlier run or another test has left.
			expire();
			try {
				this.state.run();
			}
			catch (Throwable ex) {
				throw new IllegalStateException("given(…) failed: " + Report.reason(ex), ex);
			}
			return LateHolder.this.steps.run(stopAt, this.marked, this.excludedThreads);
		}

		private @Nullable Throwable check() {
			try {
				this.invariant.run();
				return null;
			}
			catch (Throwable ex) {
				return ex;
			}
		}

		private static Stream<String> foreignWrites(Run run) {
			return run.foreignWrites()
				.entrySet()
				.stream()
				.map((write) -> "The thread " + write.getKey() + " wrote (" + write.getValue()
						+ ") during the test, and the test cannot tell whether for the call. If so, start this work on "
						+ "an executor bean or in the reactive flow of the call. If not, leave the thread out by "
						+ "excludeThreads(\"" + write.getKey() + "\").");
		}

		private static IllegalStateException noSteps(Run run) {
			return new IllegalStateException(run.accessedWithoutLock()
					? "The call held no lock when it used a database, an HTTP client or another bean that the "
							+ "test watches. Make the call through the Spring proxy of a bean with @RedLock, and turn "
							+ "locks on."
							+ (run.leadsRole() ? " The test does not see work that a method with @LeaderOnly leaves "
									+ "to another thread. Let the method return a publisher, or do the work on its own "
									+ "thread." : "")
					: "While the call held a lock, it used no bean that the test watches. The test watches "
							+ "DataSource, ConnectionFactory (R2DBC), RestClient, RestTemplate and WebClient beans "
							+ "of this context. Mark anything else by lateHolder.step(\"…\"), for example in the "
							+ "answer of a mock. Let an asynchronous call return its stage or publisher."
							+ foreignWrites(run).map(" "::concat).collect(Collectors.joining()));
		}

	}

}
