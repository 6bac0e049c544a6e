package dev.redlock.sample.demo;

import java.util.function.Consumer;

import dev.redlock.sample.demo.Note.Tone;
import dev.redlock.test.RedisNode;

/**
 * The actions on a node.
 */
enum NodeAction {

	/**
	 * Ends the server, as {@code kill -9} does.
	 */
	KILL(RedisNode::kill, "killed", "was killed: its connections break and its data are gone."),

	/**
	 * Stops the server, as {@code kill -STOP} does.
	 */
	FREEZE(RedisNode::freeze, "frozen", "was frozen: it keeps its connections and answers nothing."),

	/**
	 * Starts the server again, without data.
	 */
	RESTART(RedisNode::restartEmpty, "restarted", "was restarted, and has forgotten every lock."),

	/**
	 * Breaks the network to the server.
	 */
	CUT(RedisNode::cutOff, "cut off", "was cut off: it runs on, and no client can reach it."),

	/**
	 * Undoes the other actions.
	 */
	HEAL(RedisNode::heal, "healed", "was healed.");

	private final Consumer<RedisNode> effect;

	private final String mark;

	private final String story;

	NodeAction(Consumer<RedisNode> effect, String mark, String story) {
		this.effect = effect;
		this.mark = mark;
		this.story = story;
	}

	/**
	 * Runs the action on a node, and notes it.
	 */
	void on(RedisNode node, Journal journal) {
		this.effect.accept(node);
		journal.note((this == HEAL) ? Tone.GOOD : Tone.WARNING, "Node " + node.name() + " " + this.story,
				node.name() + " " + this.mark);
	}

}
