package dev.redlock.lettuce;

class LettuceLockNodeContractTests extends ServerNodeContract {

	@Override
	RedisLockNode connect(NodeFixture nodes, RedisProcess server) {
		return nodes.lettuce("one", server.uri(), NodeFixture.unguarded());
	}

}
