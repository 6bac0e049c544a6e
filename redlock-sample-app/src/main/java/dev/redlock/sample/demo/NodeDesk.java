package dev.redlock.sample.demo;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.Redlock;
import dev.redlock.sample.demo.Note.Tone;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Shows the nodes, and breaks and heals those that this application has started itself.
 */
@Component
@FirstJvm
final class NodeDesk {

	private final Redlock redlock;

	private final @Nullable RedisNodes servers;

	private final Journal journal;

	/**
	 * Fair, so that actions take effect in the order in which they arrive.
	 */
	private final ReentrantLock oneAtATime = new ReentrantLock(true);

	NodeDesk(Redlock redlock, ObjectProvider<RedisNodes> servers, Journal journal) {
		this.redlock = redlock;
		this.servers = servers.getIfAvailable();
		this.journal = journal;
	}

	List<NodeView> view() {
		return this.redlock.nodes().stream().map(this::view).toList();
	}

	void act(String name, NodeAction action) {
		RedisNode server = servers().get(name);
		this.oneAtATime.lock();
		try {
			action.on(server, this.journal);
		}
		finally {
			this.oneAtATime.unlock();
		}
	}

	void healAll() {
		this.oneAtATime.lock();
		try {
			servers().heal();
			this.journal.note(Tone.GOOD, "All nodes were healed.", "all healed");
		}
		finally {
			this.oneAtATime.unlock();
		}
	}

	/**
	 * Notes a change that the lock has noticed.
	 */
	@EventListener
	void changed(RedlockNodeEvent event) {
		switch (event.to().state()) {
			case READY -> this.journal.note(Tone.GOOD, "Node " + event.node() + " votes.");
			case QUARANTINED -> this.journal.note(Tone.WARNING,
					"Node " + event.node() + " is in quarantine: " + event.to().reason() + ".");
			case UNAVAILABLE, UNFIT -> {
				if (event.from().state() != State.UNAVAILABLE) {
					this.journal.note(Tone.WARNING,
							"Node " + event.node() + " does not vote any more: " + event.to().reason());
				}
			}
			case CHECKING -> {
				// Another state follows in a moment.
			}
		}
	}

	private NodeView view(LockNode node) {
		return NodeView.of(node, (this.servers != null) ? this.servers.get(node.name()) : null);
	}

	private RedisNodes servers() {
		if (this.servers == null) {
			throw new IllegalStateException(
					"This application did not start these nodes of redlock.instances, so it does"
							+ " not break them. Remove redlock.instances and set redlock.embedded.enabled=true.");
		}
		return this.servers;
	}

}
