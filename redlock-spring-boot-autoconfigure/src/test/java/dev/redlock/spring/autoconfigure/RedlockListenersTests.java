package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.lettuce.LogLines;
import dev.redlock.spring.autoconfigure.internal.listeners.ListenerQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockListenersTests {

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.redlock.lease");

	@RegisterExtension
	final LogLines lines = new LogLines(LOGGER.getName());

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	private final List<Object> events = new ArrayList<>();

	private final RedlockListeners listeners = new RedlockListeners(this.beans, this.events::add,
			new ListenerQueue(Runnable::run));

	private final LockWorld world = new LockWorld();

	@BeforeEach
	void listen() {
		LOGGER.setLevel(Level.DEBUG);
	}

	@AfterEach
	void stopListening() {
		LOGGER.setLevel(null);
	}

	@Test
	void aLossIsASentenceForPeopleAndFieldsForMachines() {
		this.listeners.afterSingletonsInstantiated();
		Lease lease = this.world.listened(this.listeners)
			.attemptAndWait(this.world.now("stock:42").withOrigin("Shop.sell"))
			.orThrow();
		this.world.time.advance(LockWorld.TOO_LONG);
		ILoggingEvent line = this.lines.list.get(0);
		assertThat(line.getLevel()).isEqualTo(Level.WARN);
		assertThat(line.getFormattedMessage())
			.isEqualTo("The lock on [stock:42] (Shop.sell, ttl 30000 ms) was lost: EXPIRED");
		assertThat(line.getKeyValuePairs()).extracting((pair) -> pair.key + "=" + pair.value)
			.containsExactly("redlock.resources=[stock:42]", "redlock.reason=EXPIRED");
		assertThat(this.events).containsExactly(new RedlockLossEvent(lease, LossReason.EXPIRED));
	}

	@Test
	void aLossWhileBeansAreCreatedIsOnlyLogged() {
		this.world.listened(this.listeners).attemptAndWait(this.world.now("stock:42")).orThrow();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.lines.list).hasSize(1);
		assertThat(this.events).isEmpty();
	}

	@Test
	void whatShutdownTakesIsNoNews() {
		this.world.listened(this.listeners).attemptAndWait(this.world.now("stock:42")).orThrow();
		this.listeners.leaseLost(this.world.redlock.attemptAndWait(this.world.now("stock:43")).orThrow(),
				LossReason.SHUT_DOWN);
		assertThat(this.lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.DEBUG);
	}

	@Test
	void requestsAreFollowedByAllBeansOnceTheyAreMade() {
		List<LockRequest> followed = new ArrayList<>();
		this.beans.addBean("lock", this.world.redlock);
		this.beans.addBean("listeners", this.listeners);
		this.beans.addBean("indifferent", new RedlockListener() {
		});
		this.beans.addBean("follower", new RedlockListener() {
			@Override
			public RequestListener requested(LockRequest asked) {
				followed.add(asked);
				return new RequestListener() {
				};
			}
		});
		this.world.redlock.attemptAndWait(this.world.now("stock:42"));
		assertThat(followed).isEmpty();
		this.listeners.afterSingletonsInstantiated();
		LockRequest request = this.world.now("stock:43");
		this.world.redlock.attemptAndWait(request);
		assertThat(followed).containsExactly(request);
	}

}
