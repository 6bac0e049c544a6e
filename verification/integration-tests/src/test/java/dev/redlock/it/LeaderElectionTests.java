package dev.redlock.it;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leader election of Spring Integration between two applications, on five servers that
 * are killed.
 */
class LeaderElectionTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final RedisNodes nodes = RedisNodes.start(5);

	private final List<FaultProxy> proxies = this.nodes.asList()
		.stream()
		.map((node) -> FaultProxy.to(node.port()))
		.toList();

	private CandidateApplication one;

	private CandidateApplication another;

	@BeforeEach
	void start() {
		// What the first candidate says and hears goes through the proxies.
		this.one = CandidateApplication.start("one", this.nodes, this.proxies.stream().map(FaultProxy::port).toList());
		await(this.one::isLeader);
		this.another = CandidateApplication.start("another", this.nodes,
				this.nodes.asList().stream().map(RedisNode::port).toList());
	}

	@AfterEach
	void stop() {
		this.another.close();
		this.one.close();
		this.proxies.forEach(FaultProxy::close);
		this.nodes.close();
	}

	@Test
	void theLeaderStepsDownWhenTheQuorumIsLostAndThereIsOneAgainWhenItIsBack() {
		this.nodes.asList().stream().limit(3).forEach(RedisNode::kill);
		await(() -> !this.one.isLeader());
		assertThat(this.another.isLeader()).isFalse();
		this.nodes.heal();
		await(() -> this.one.isLeader() != this.another.isLeader());
		assertNeverTwoLeaders();
	}

	@Test
	void aLeaderThatIsCutOffStepsDownBeforeAnotherLeads() {
		this.proxies.forEach((proxy) -> proxy.set(Traffic.PARTITION));
		await(this.another::isLeader);
		assertThat(this.one.isLeader()).isFalse();
		this.proxies.forEach((proxy) -> proxy.set(Traffic.CLEAR));
		Awaitility.await()
			.during(CandidateApplication.TTL)
			.atMost(PATIENCE)
			.until(() -> this.another.isLeader() && !this.one.isLeader());
		this.another.close();
		await(this.one::isLeader);
		assertThat(this.one.terms()).hasSize(1);
		assertThat(this.one.terms().get(0).to()).isLessThan(this.another.terms().get(0).from());
	}

	private void assertNeverTwoLeaders() {
		List<CandidateApplication.Term> terms = Stream.concat(this.one.terms().stream(), this.another.terms().stream())
			.sorted((left, right) -> Long.signum(left.from() - right.from()))
			.toList();
		for (int i = 1; i < terms.size(); i++) {
			assertThat(terms.get(i).from()).as("the beginning of " + terms.get(i) + " after " + terms.get(i - 1))
				.isGreaterThan(terms.get(i - 1).to());
		}
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(PATIENCE).until(condition);
	}

}
