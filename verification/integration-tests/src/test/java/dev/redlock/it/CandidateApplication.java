package dev.redlock.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * An application that wants to lead, and writes down when it did.
 */
final class CandidateApplication implements AutoCloseable {

	static final Duration TTL = Duration.ofSeconds(5);

	private final ConfigurableApplicationContext context;

	private final LockRegistryLeaderInitiator initiator;

	private final Diary diary;

	private CandidateApplication(ConfigurableApplicationContext context, String name) {
		this.context = context;
		this.diary = new Diary(name);
		this.initiator = new LockRegistryLeaderInitiator(context.getBean(LockRegistry.class), this.diary);
		this.initiator.start();
	}

	/**
	 * Starts an application that reaches the nodes at the given ports.
	 */
	static CandidateApplication start(String name, RedisNodes nodes, List<Integer> ports) {
		List<String> properties = new ArrayList<>(
				List.of("redlock.ttl=" + TTL.toMillis() + "ms", "redlock.owner=" + name));
		for (int i = 0; i < ports.size(); i++) {
			RedisNode node = nodes.get(i);
			properties.add("redlock.instances." + node.name() + ".port=" + ports.get(i));
		}
		ConfigurableApplicationContext context = LockedApplication.start(nodes, properties.toArray(String[]::new));
		LockedApplication.awaitReady(context);
		return new CandidateApplication(context, name);
	}

	boolean isLeader() {
		return this.diary.leading;
	}

	List<Term> terms() {
		return this.diary.terms;
	}

	@Override
	public void close() {
		this.initiator.destroy();
		this.context.close();
	}

	/**
	 * A time of leading that is over.
	 */
	record Term(String name, long from, long to) {

	}

	private static final class Diary extends AbstractCandidate {

		private final List<Term> terms = new CopyOnWriteArrayList<>();

		private volatile boolean leading;

		private volatile long since;

		private Diary(String name) {
			super(name, "leader");
		}

		@Override
		public void onGranted(Context context) {
			this.since = System.nanoTime();
			this.leading = true;
		}

		@Override
		public void onRevoked(Context context) {
			this.leading = false;
			this.terms.add(new Term(getId(), this.since, System.nanoTime()));
		}

	}

}
