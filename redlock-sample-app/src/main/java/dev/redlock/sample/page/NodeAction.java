package dev.redlock.sample.page;

import java.util.function.Consumer;

import dev.redlock.test.RedisNode;

/**
 * The actions on a node.
 */
enum NodeAction {

	/**
	 * Ends the server, as {@code kill -9} does.
	 */
	KILL(RedisNode::kill, "was killed: its connections break and its data are gone."),

	/**
	 * Stops the server, as {@code kill -STOP} does.
	 */
	FREEZE(RedisNode::freeze, "was frozen: it keeps its connections and answers nothing."),

	/**
	 * Starts the server again, without data.
	 */
	RESTART(RedisNode::restartEmpty, "was restarted, and has forgotten every lock."),

	/**
	 * Breaks the network to the server.
	 */
	CUT(RedisNode::cutOff, "was cut off: it runs on, and no client can reach it."),

	/**
	 * Undoes the other actions.
	 */
	HEAL(RedisNode::heal, "was healed.");

	private final Consumer<RedisNode> effect;

	private final String story;

	NodeAction(Consumer<RedisNode> effect, String story) {
		this.effect = effect;
		this.story = story;
	}

	/**
	 * Runs the action on a node.
	 * @return a sentence about it
	 */
	String on(RedisNode node) {
		this.effect.accept(node);
		return "Node " + node.name() + " " + this.story;
	}

}
