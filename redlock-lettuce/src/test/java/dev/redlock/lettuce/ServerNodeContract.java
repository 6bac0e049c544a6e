package dev.redlock.lettuce;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.LockNodeContract;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The contract of nodes over a real server, one for all of its tests.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ServerNodeContract extends LockNodeContract {

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final String[] options;

	private LockNode node;

	ServerNodeContract(String... options) {
		this.options = options;
	}

	/**
	 * Makes the node for a server that runs.
	 */
	abstract RedisLockNode connect(NodeFixture nodes, RedisProcess server);

	@BeforeAll
	void start() {
		this.node = NodeFixture.await(connect(this.fixture, this.fixture.server(this.options)), State.READY);
	}

	@Override
	protected final LockNode node() {
		return this.node;
	}

	@Override
	protected final long nowMicros() {
		return this.fixture.fence();
	}

}
