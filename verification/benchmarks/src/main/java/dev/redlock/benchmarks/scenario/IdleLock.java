package dev.redlock.benchmarks.scenario;

import java.util.List;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Commands;
import dev.redlock.test.RedisNode;

/**
 * A lock that somebody holds for long.
 *
 * @param library whose it is
 * @param servers its servers
 * @param contender the connection of its holder
 */
record IdleLock(Library library, List<RedisNode> servers, Contender contender) {

	/**
	 * Commands on the network by all processes for each server and second.
	 */
	double perSecond(Commands commands, long millis) {
		return commands.sent(this.library.plainCommands()) * 1e3 / millis / this.servers.size();
	}

}
