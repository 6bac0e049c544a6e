package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Two candidates over nodes in memory, with a ttl of 30 seconds.
 */
class LeaderRoleTests {

	private static final Duration A_MOMENT = Duration.ofMillis(5);

	/** More than the time that the leader leaves the role to others. */
	private static final Duration A_WHILE = Duration.ofSeconds(2);

	@RegisterExtension
	final LockWorld world = new LockWorld();

	private final Candidate one = new Candidate(this.world, this.world.redlock);

	private final Candidate two = new Candidate(this.world, this.world.other);

	@Test
	void theLeaseOfTheLeaderIsTheCurrentLeaseOfItsWorkAndItsFenceIsTheTerm() {
		start();
		this.one.leaders.execute("importer", (lease) -> {
			assertThat(CurrentLease.require("importer").fence()).isEqualTo(this.one.term()).isEqualTo(lease.fence());
			return null;
		});
		assertThat(CurrentLease.get()).isEmpty();
		assertThat(this.one.isLeader()).isTrue();
		stop();
	}

	@Test
	void aCallOnAnInstanceThatDoesNotLeadIsRefusedAndAsksNoNode() {
		start();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.two.leaders.execute("importer", (lease) -> "done"))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.HELD))
			.satisfies((ex) -> assertThat(ex.votes()).isEmpty());
		assertThat(this.two.leaders.executeAsync("importer", (lease) -> CompletableFuture.completedFuture("done")))
			.isCompletedExceptionally();
		stop();
	}

	@Test
	void withoutAQuorumTheRefusalSaysSo() {
		start();
		this.world.loseQuorum();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.one.leaders.execute("importer", (lease) -> "done"))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_QUORUM));
		stop();
	}

	@Test
	void aLeaderThatYieldsIsFollowedByTheOtherCandidateInAHigherTerm() {
		start();
		long first = this.one.term();
		assertThat(this.one.role.yield()).isTrue();
		this.world.time.advance(A_MOMENT);
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.two.term()).isGreaterThan(first);
		assertThat(this.one.events)
			.endsWith(new LeaderRevokedEvent("importer", first, LeaderRevokedEvent.Reason.YIELDED));
		assertThat(this.one.role.yield()).isFalse();
		stop();
	}

	@Test
	void aLeaderThatStopsHandsOverAtOnceAndStaysOut() {
		start();
		this.one.leaders.stop();
		this.world.time.advance(A_MOMENT);
		assertThat(this.two.isLeader()).isTrue();
		this.two.leaders.stop();
		this.world.time.advance(A_WHILE);
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.world.isHeld("importer")).isFalse();
	}

	@Test
	void withoutAQuorumTheTermEndsAndListenersAreToldBeforeTheLeaseEnds() {
		start();
		long first = this.one.term();
		this.one.listener = (event) -> {
			this.one.events.add(event);
			assertThat(this.world.redlock.leases()).singleElement()
				.satisfies((lease) -> assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(4)));
		};
		this.world.loseQuorum();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.one.events)
			.endsWith(new LeaderRevokedEvent("importer", first, LeaderRevokedEvent.Reason.NOT_RENEWED));
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.one.isLeader()).isNotEqualTo(this.two.isLeader());
		assertThat(leader().term()).isGreaterThan(first);
		stop();
	}

	@Test
	void aLeaderWhoseLeaseIsRevokedIsToldAtOnce() {
		start();
		long first = this.one.term();
		this.world.redlock.revoke("importer");
		assertThat(this.one.events).contains(new LeaderRevokedEvent("importer", first, LeaderRevokedEvent.Reason.LOST));
		this.world.time.advance(A_WHILE);
		assertThat(leader().term()).isGreaterThan(first);
		stop();
	}

	@Test
	void aLeaderThatStoodStillDoesNotLeadWhenItGoesOnEvenBeforeItsTimersRun() {
		start();
		long first = this.one.term();
		this.world.time.stepWallClock(Duration.ofMinutes(11));
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.one.works()).isFalse();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.one.events).contains(new LeaderRevokedEvent("importer", first, LeaderRevokedEvent.Reason.LOST));
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(leader().term()).isGreaterThan(first);
		stop();
	}

	@Test
	void workUnderWayKeepsTheLeaseAfterAYieldAndNoFurtherWorkBegins() {
		start();
		this.one.leaders.execute("importer", (lease) -> {
			this.one.role.yield();
			this.world.time.advance(A_WHILE);
			assertThat(this.two.isLeader()).isFalse();
			assertThat(lease.isValid()).isTrue();
			assertThat(CompletableFuture.supplyAsync(this.one::works).join()).isFalse();
			return null;
		});
		this.world.time.advance(A_MOMENT);
		assertThat(this.two.isLeader()).isTrue();
		stop();
	}

	@Test
	void theLockOfTheRoleIsRefusedInsideOfItsWorkBecauseCallsOfALeaderDoNotExcludeEachOther() {
		RedLockTemplate locks = new RedLockTemplate(this.world.redlock, Runnable::run);
		start();
		this.one.leaders.execute("importer", (lease) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> locks.execute(LockRequest.of("importer"), (inner) -> null))
				.withMessageContaining("[importer]")
				.withMessageContaining("the work of a leader");
			return locks.execute(LockRequest.of("another"), (inner) -> null);
		});
		stop();
	}

	@Test
	void workUnderALeaseThatIsLostIsToldAfterIt() {
		start();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.one.leaders.execute("importer", (lease) -> {
				this.world.redlock.revoke("importer");
				return null;
			}));
		stop();
	}

	@Test
	void theRoleIsHandedOverWhenAListenerThatBlocksHasReturned() {
		start();
		Queue<Runnable> blocked = new ArrayDeque<>();
		this.one.notifications = blocked::add;
		this.one.role.yield();
		assertThat(this.one.works()).isFalse();
		this.world.time.advance(Duration.ofMinutes(1));
		assertThat(this.two.isLeader()).isFalse();
		assertThat(blocked).hasSize(1);
		blocked.forEach(Runnable::run);
		this.world.time.advance(A_WHILE);
		assertThat(this.two.isLeader()).isTrue();
		stop();
	}

	@Test
	void aRoleThatIsOnlyLookedAtIsNeverLed() {
		this.one.leaders.start();
		LeaderRole looked = this.one.leaders.role("exporter");
		assertThat(looked.isLeader()).isFalse();
		assertThat(this.world.isHeld("exporter")).isFalse();
		assertThat(this.one.leaders.roles()).extracting(LeaderRole::name).containsExactly("importer");
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.one.leaders.execute("exporter", (lease) -> null))
			.withMessage("This process does not lead the role 'exporter': the process is not a candidate. Call "
					+ "LeaderTemplate.join(\"exporter\") first.");
		stop();
	}

	@Test
	void theLastCandidacyThatIsClosedHandsTheRoleOver() {
		start();
		LeaderTemplate.Candidacy second = this.one.leaders.join("importer");
		second.close();
		second.close();
		this.world.time.advance(A_WHILE);
		assertThat(this.one.isLeader()).isTrue();
		this.one.candidacy.close();
		assertThat(this.one.isLeader()).isFalse();
		this.world.time.advance(A_WHILE);
		assertThat(this.two.isLeader()).isTrue();
		stop();
	}

	@Test
	void aRoleNeedsANameAndFencesAndAPossibleTtl() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.leaders.role(" "))
			.withMessageContaining("Name the role after");
		LockWorld unfenced = new LockWorld(RedlockSettings.builder().fencing(false).build());
		assertThatIllegalStateException().isThrownBy(() -> new Candidate(unfenced, unfenced.redlock))
			.withMessageContaining("'importer'")
			.withMessageContaining("redlock.fencing.enabled=true");
		LeaderTemplate tooLong = new LeaderTemplate(this.world.redlock, Duration.ofHours(1),
				(delay, task) -> Scheduler.Timeout.NONE, (role) -> Runnable::run, this.one.events::add, Runnable::run);
		assertThatIllegalArgumentException().isThrownBy(() -> tooLong.join("importer"))
			.withMessageContaining("max-ttl");
	}

	private void start() {
		this.one.leaders.start();
		this.two.leaders.start();
		assertThat(this.one.isLeader()).isTrue();
	}

	private Candidate leader() {
		return this.one.isLeader() ? this.one : this.two;
	}

	private void stop() {
		this.one.leaders.stop();
		this.two.leaders.stop();
	}

}
