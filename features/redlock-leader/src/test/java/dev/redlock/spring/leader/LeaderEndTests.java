package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of a term that meets its beginning, or comes too late.
 */
class LeaderEndTests {

	final LockWorld world = new LockWorld();

	private final Candidate one = new Candidate(this.world, this.world.redlock);

	/**
	 * The appender stands for another thread that yields (or stops, or loses the lease)
	 * while the thread that begins the term writes its line to the log.
	 */
	@Test
	void theEndOfATermIsNotToldBeforeItsBeginning() {
		during("This process leads", this.one.role::yield, this.one.leaders::start);
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.one.events).hasSize(2);
		assertThat(this.one.events.get(0)).isInstanceOf(LeaderGrantedEvent.class);
		assertThat(this.one.events.get(1)).isInstanceOf(LeaderRevokedEvent.class);
	}

	/** "Returns false if this instance does not lead." */
	@Test
	void anInstanceThatStoodStillDoesNotLeadSoItCannotYield() {
		this.one.leaders.start();
		this.world.time.stepWallClock(Duration.ofMinutes(11));
		assertThat(this.one.isLeader()).isFalse();
		assertThat(this.one.role.yield()).as("yield() of an instance that does not lead").isFalse();
	}

	/** "Except for LOST, the lease is still valid when the listeners are called." */
	@Test
	void theReasonOfATermWhoseLeaseIsOverIsThatItWasLost() {
		this.one.leaders.start();
		this.world.time.stepWallClock(Duration.ofMinutes(11));
		AtomicBoolean valid = new AtomicBoolean();
		this.one.listener = (event) -> {
			this.one.events.add(event);
			valid.set(!this.world.redlock.leases().isEmpty());
		};
		this.one.leaders.stop();
		LeaderRevokedEvent told = (LeaderRevokedEvent) this.one.events.get(this.one.events.size() - 1);
		assertThat(valid.get() || told.reason() == LeaderRevokedEvent.Reason.LOST)
			.as("the reason is %s, and the lease is valid: %s", told.reason(), valid.get())
			.isTrue();
	}

	/** As the executor of a JVM does that has reached the limit of threads. */
	@Test
	void aLeaderWhoseListenersGetNoThreadLeadsAgainAfterALoss() {
		this.one.notifications = (task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		this.one.leaders.start();
		assertThat(this.one.isLeader()).isTrue();
		this.world.redlock.revoke("importer");
		assertThat(this.one.isLeader()).isFalse();
		this.world.time.advance(Duration.ofSeconds(2));
		assertThat(this.one.isLeader()).isTrue();
		this.one.leaders.stop();
		assertThat(this.world.isHeld("importer")).isFalse();
	}

	/** "One second after the release, this process is a candidate again." */
	@Test
	void aLeaderThatYieldsIsACandidateAgainOneSecondAfterItsReleaseHasEnded() {
		this.one.leaders.start();
		this.world.nodes.get(2).freeze();
		assertThat(this.one.role.yield()).isTrue();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.one.isLeader()).isFalse();
		this.world.time.advance(this.world.redlock.settings().nodeTimeoutFor(this.world.redlock.settings().ttl()));
		assertThat(this.one.isLeader()).isTrue();
		this.one.leaders.stop();
	}

	/** Runs something at the moment at which a message is logged. */
	private static void during(String message, Runnable then, Runnable work) {
		Logger logger = (Logger) LoggerFactory.getLogger(LeaderRole.class);
		AtomicBoolean done = new AtomicBoolean();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
			@Override
			protected void append(ILoggingEvent event) {
				if (event.getFormattedMessage().startsWith(message) && done.compareAndSet(false, true)) {
					then.run();
				}
			}
		};
		appender.start();
		Level before = logger.getLevel();
		logger.setLevel(Level.INFO);
		logger.addAppender(appender);
		try {
			work.run();
		}
		finally {
			logger.detachAppender(appender);
			logger.setLevel(before);
		}
	}

}
