package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.LeaseSnapshot;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;
import dev.redlock.test.lateholder.Report.Result;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Tests whether a locked call is safe when its process pauses for longer than the lock
 * lives. No lock can prevent such a pause. <pre class="code">
 * lateHolder.given(() -&gt; openOrder(42))
 *   .call(() -&gt; checkout.pay(42))
 *   .verify(() -&gt; assertThat(provider.chargesOf(42)).hasSize(1));
 * </pre>
 * <p>
 * The call runs once. While the call holds a lock, each access to a database or another
 * service becomes a step: each statement and commit of a {@code DataSource} bean, each
 * request of {@code RestClient}, {@code RestTemplate} and {@code WebClient} beans and
 * their builders, and each {@link #step}. After this run, the call runs twice for each
 * step. In the first of these runs, the call is frozen before the step until its lock has
 * expired and the rival has run, and goes on afterwards. In the second run, the call ends
 * after the step, as in a crash.
 * <p>
 * The call and the rival run on threads of their own. Tests that share a context run one
 * after the other.
 */
public final class LateHolder {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			LateHolder.class.getClassLoader());

	private static final boolean LEADERS = ClassUtils.isPresent("dev.redlock.spring.leader.LeaderTemplate",
			LateHolder.class.getClassLoader());

	/**
	 * The time that the rival may run while the call is frozen, shorter than the lock
	 * timeout of H2.
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
	 * Begins a trial with the state that each run starts from.
	 * @param state creates the state, on the thread of the test
	 * @return the trial
	 */
	public Trial given(Action state) {
		return new Trial(state);
	}

	/**
	 * Makes an unwatched access a step, for example in the answer of a mock. Call this
	 * method right before the effect. The method blocks its thread while the call is
	 * frozen, and does nothing outside of a trial or without a lock.
	 * @param name the name of the step in the table
	 */
	public void step(String name) {
		this.steps.begin(name).wrote();
	}

	/**
	 * Lets all leases expire. A leader of this process leads again, as a leader in
	 * another process would.
	 */
	private void expire() {
		this.servers.expire();
		if (LEADERS) {
			this.servers.await("this process leads its roles again", RUN, () -> Roles.lead(this.context));
		}
	}

	/**
	 * An action of a test, which may throw any exception.
	 */
	@FunctionalInterface
	public interface Action {

		/**
		 * Runs the action of the test.
		 * @throws Exception if the action fails
		 */
		void run() throws Exception;

		private Callable<?> asCallable() {
			return () -> {
				run();
				return "";
			};
		}

	}

	/**
	 * This class is loaded only with the module for leaders.
	 */
	private static final class Roles {

		private static boolean lead(ApplicationContext context) {
			return context.getBeanProvider(LeaderTemplate.class)
				.stream()
				.flatMap((template) -> template.roles().stream())
				.allMatch(LeaderRole::isLeader);
		}

	}

	/**
	 * A call, its rival, and the invariant that has to hold in any case.
	 */
	public final class Trial {

		private final Action state;

		private Callable<?> call = NONE;

		private Callable<?> rival = NONE;

		private Action invariant = NONE::call;

		private Duration bound = RUN;

		private Trial(Action state) {
			this.state = state;
		}

		/**
		 * Sets the call under test.
		 * @param call a call of a locked method; a stage or a publisher that it returns
		 * is awaited
		 * @return this trial
		 */
		public Trial call(Callable<?> call) {
			this.call = call;
			return this;
		}

		/**
		 * Sets the call under test.
		 * @param call a call of a locked method
		 * @return this trial
		 */
		public Trial call(Action call) {
			return call(call.asCallable());
		}

		/**
		 * Sets what another process does while the call is frozen. By default, the rival
		 * is the call itself.
		 * @param rival a call of a locked method; a stage or a publisher that it returns
		 * is awaited
		 * @return this trial
		 */
		public Trial rival(Callable<?> rival) {
			this.rival = rival;
			return this;
		}

		/**
		 * Sets what another process does while the call is frozen. By default, the rival
		 * is the call itself.
		 * @param rival a call of a locked method
		 * @return this trial
		 */
		public Trial rival(Action rival) {
			return rival(rival.asCallable());
		}

		/**
		 * Sets how long the call and the rival may take in one run.
		 * @param bound the time, 10 s by default
		 * @return this trial
		 */
		public Trial within(Duration bound) {
			this.bound = bound;
			return this;
		}

		/**
		 * Runs the trial, prints its table, and fails if the invariant does not hold
		 * after one of the runs.
		 * @param invariant throws if the invariant does not hold; runs on the thread of
		 * the test
		 * @throws AssertionError with the table, if the invariant was broken
		 * @throws IllegalStateException if the trial has no result; the message says what
		 * to change
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
				run();
			}
			finally {
				LateHolder.this.oneAtATime.unlock();
			}
		}

		private void run() {
			Run undisturbed = undisturbed();
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
			if (undisturbed.isRivalBeside()) {
				report.note("The rival never held the lock of the call, " + lease.resources()
						+ ". Let the rival call a method that takes the same lock.");
			}
			for (int i = 1; i <= names.size(); i++) {
				Result late = stopped(i, false, names, report);
				report.add(i, names.get(i - 1), late, (i < names.size()) ? stopped(i + 1, true, names, report) : null);
			}
			report.publish();
		}

		/**
		 * Runs the call to its end and then the rival.
		 */
		private Run undisturbed() {
			Run run = begin(0);
			try {
				Throwable failure = Work.start("call", this.call).await(this.bound);
				run.over();
				if (failure != null) {
					throw new IllegalStateException("The call fails even if nothing stops it: " + Report.reason(failure)
							+ ". Correct the state in given(…), or the call.", failure);
				}
				expire();
				failure = startRival().await(this.bound);
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

		private Work startRival() {
			return Work.start(Work.RIVAL, LateHolder.this.steps.asRival((this.rival != NONE) ? this.rival : this.call));
		}

		/**
		 * Freezes the call before a step.
		 * @param crash whether the call ends after the step, rather than going on after
		 * the rival
		 * @return null if the call did not come to this step
		 */
		private @Nullable Result stopped(int step, boolean crash, List<String> names, Report report) {
			Run run = begin(step);
			try {
				Work late = Work.start("call", this.call);
				if (!late.endsWithin(this.bound, run.frozen()) || !run.frozen().isDone()) {
					Throwable failure = late.await(this.bound);
					report.note("Step " + step + " (" + names.get(step - 1) + ") of the call appears only in some "
							+ "runs. " + SAME
							+ ((failure != null) ? " This run failed before: " + Report.reason(failure) : ""));
					return null;
				}
				if (!run.steps().equals(names.subList(0, step))) {
					report.note("In this run, the call took other steps than in the first run, before step " + step
							+ ": " + run.steps() + ". " + SAME);
				}
				return rivalled(late, run, crash, report);
			}
			finally {
				// The frozen call must go on even if the test was interrupted, because
				// the call may hold a connection.
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
			Work other = startRival();
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
			return new Result(outcome, check());
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
			return LateHolder.this.steps.run(stopAt);
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

		private static IllegalStateException noSteps(Run run) {
			return new IllegalStateException(run.withoutLock()
					? "Without a lock, the call used a database, an HTTP client or another bean that the test "
							+ "watches. Make the call through the Spring proxy of a bean with @RedLock, and turn "
							+ "locks on."
							+ (run.withRole() ? " The test does not see work that a method with @LeaderOnly leaves "
									+ "to another thread. Let the method return a publisher, or do the work on its own "
									+ "thread." : "")
					: "While the call held a lock, it used no bean that the test watches. The test watches "
							+ "DataSource, ConnectionFactory (R2DBC), RestClient, RestTemplate and WebClient beans "
							+ "of this context. Mark anything else by lateHolder.step(\"…\"), for example in the "
							+ "answer of a mock. Let an asynchronous call return its stage or publisher.");
		}

	}

}
