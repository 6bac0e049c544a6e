package dev.redlock.benchmarks.ensemble;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;

/**
 * Servers on this machine that keep locks together. One thread uses them.
 */
public interface Ensemble extends AutoCloseable {

	/**
	 * The name of the lock in tables.
	 * @return the name
	 */
	String label();

	/**
	 * The version of the servers.
	 * @return the version as the servers tell it
	 */
	String version();

	/**
	 * Finds the member that leads.
	 * @return its position, 0 where all members are equal
	 */
	int leader();

	/**
	 * Connects a client to all members.
	 * @param terms what all contenders are given alike
	 * @return the lock
	 */
	Contender connect(Terms terms);

	/**
	 * Ends a member as {@code kill -9} does.
	 * @param member its position
	 */
	void kill(int member);

	/**
	 * Stops a member: its connections stay open and nothing is answered.
	 * @param member its position
	 */
	void freeze(int member);

	/**
	 * Makes all members answer again, and waits until they do.
	 */
	void heal();

	@Override
	void close();

}
