package dev.redlock.benchmarks.ensemble;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.benchmarks.scenario.ClassPath;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * That the other locks are used as locks, each on one server.
 */
class ConsensusContenderTests {

	private static final Duration PATIENCE = Duration.ofMillis(300);

	@Test
	void theLockOnZooKeeperExcludesOthers() {
		try (Ensemble zooKeeper = ZooKeeperServers.start(ClassPath.ofThisProcess().entries(), 1)) {
			excludesOthers(zooKeeper);
		}
	}

	@Test
	void theLockOnEtcdExcludesOthers() {
		Optional<Path> etcd = EtcdServers.executable();
		assumeTrue(etcd.isPresent(), "etcd is not installed. Install etcd-server, or name it by -D"
				+ EtcdServers.PROPERTY + "=/path/to/etcd");
		try (Ensemble servers = EtcdServers.start(etcd.get(), 1)) {
			excludesOthers(servers);
		}
	}

	private static void excludesOthers(Ensemble servers) {
		Terms patient = new Terms(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));
		Terms hasty = new Terms(patient.ttl(), PATIENCE, patient.maxTtl());
		try (Contender first = servers.connect(patient); Contender second = servers.connect(hasty)) {
			assertThat(second.withLock("warm", () -> {
			})).isTrue();
			AtomicBoolean held = new AtomicBoolean(true);
			assertThat(first.withLock("one", () -> held.set(second.withLock("one", () -> {
			})))).isTrue();
			assertThat(held).as("the second client had the lock while the first one held it").isFalse();
			assertThat(second.withLock("one", () -> {
			})).as("after the release").isTrue();
			SharedCounter counter = SharedCounter.create();
			Tally tally = new Load("shared", true, 4, 300).run(first, counter::increment);
			assertThat(tally.complaint()).isEmpty();
			assertThat(counter.get()).isPositive().isEqualTo(tally.total());
		}
	}

}
