package dev.redlock.it;

import java.util.List;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes that use one ticket at the same moment, on real servers.
 */
@Timeout(600)
class TicketRaceTests {

	@AutoClose
	private final RedisNodes nodes = RedisNodes.start(5);

	@Test
	void twoProcessesThatUseOneTicketDoNotBothGetTheLock() throws InterruptedException {
		race(200);
	}

	@Test
	@Tag("slow")
	void inTenThousandRacesTwoProcessesNeverGetTheLockByOneTicket() throws InterruptedException {
		race(Integer.getInteger("redlock.it.races", 10_000));
	}

	private void race(int races) throws InterruptedException {
		String[] arguments = Stream
			.concat(Stream.of(ShutdownTests.arguments(this.nodes)), Stream.of("--redlock.release.await=true"))
			.toArray(String[]::new);
		int one = 0;
		int none = 0;
		int both = 0;
		int contested = 0;
		try (ChildProcess first = ChildProcess.start(TicketProcess.class, arguments);
				ChildProcess second = ChildProcess.start(TicketProcess.class, arguments);
				ConfigurableApplicationContext context = LockedApplication.start(this.nodes)) {
			LockedApplication.awaitReady(context);
			Redlock redlock = context.getBean(Redlock.class);
			List<ChildProcess> racers = List.of(first, second);
			for (ChildProcess racer : racers) {
				racer.await("ready");
			}
			for (int i = 0; i < races; i++) {
				// Where both fail, the predecessor stays on some servers until its ttl,
				// so each
				// race has a name of its own.
				Lease lease = redlock.attemptAndWait(LockRequest.of("race:" + i)).orThrow();
				String ticket = lease.detach();
				racers.get(i % 2).say(ticket);
				racers.get(1 - i % 2).say(ticket);
				String answers = first.await("answer") + second.await("answer");
				int won = answers.split("won", -1).length - 1;
				one += (won == 1) ? 1 : 0;
				none += (won == 0) ? 1 : 0;
				both += (won == 2) ? 1 : 0;
				contested += answers.contains("contested") ? 1 : 0;
				for (ChildProcess racer : racers) {
					racer.say("end");
					racer.await("ended");
				}
			}
		}
		System.out.println("exactly one won " + one + " times, none " + none + ", overlapped " + both + "; in "
				+ contested + " races each got a node");
		assertThat(both).as("races that both won").isZero();
		assertThat(one).as("races that one won").isGreaterThan(races / 2);
	}

}
