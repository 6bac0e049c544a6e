package dev.redlock.sample.demo;

import java.util.List;

import dev.redlock.sample.demo.SaleDesk.SaleView;
import dev.redlock.sample.shop.Stock;

/**
 * One message to the page: the current state, and the events since the last message.
 *
 * @param chapter the chapter of the journal; a new one tells the page to clear itself
 * @param nowMicros the time, in microseconds since the epoch
 * @param state the current state
 * @param turns the purchases that have changed
 * @param notes the new notes
 */
record Frame(String chapter, long nowMicros, State state, List<Turn> turns, List<Note> notes) {

	/**
	 * The current state.
	 *
	 * @param situation a description for people
	 * @param sale the sale
	 * @param stock the books
	 * @param results the results of the last sales
	 * @param nodes the nodes
	 * @param majority the number of nodes that a lock needs
	 * @param firstJvm the name of this JVM
	 * @param secondJvm the state of the second JVM
	 */
	record State(Situation situation, SaleView sale, Stock stock, Results results, List<NodeView> nodes, int majority,
			String firstJvm, SecondJvm.State secondJvm) {

	}

}
