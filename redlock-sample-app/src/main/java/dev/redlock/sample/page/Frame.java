package dev.redlock.sample.page;

import java.util.List;

import dev.redlock.sample.buyers.Turn;
import dev.redlock.sample.jvm.SecondJvm;
import dev.redlock.sample.page.Figures.Speed;
import dev.redlock.sample.page.SaleDesk.SaleView;
import dev.redlock.sample.shop.Stock;

/**
 * One message to the page: how everything stands, and what has happened since the last.
 *
 * @param chapter changes when everything before it is to be forgotten
 * @param nowMicros the time, in microseconds since the epoch
 * @param state how everything stands
 * @param turns the purchases that have changed
 * @param notes what was noted
 */
record Frame(String chapter, long nowMicros, State state, List<Turn> turns, List<Note> notes) {

	/**
	 * How everything stands.
	 *
	 * @param situation what is going on
	 * @param sale the sale
	 * @param stock the books
	 * @param speed how fast it goes
	 * @param nodes the nodes
	 * @param majority how many nodes a lock needs
	 * @param firstJvm the name of this JVM
	 * @param secondJvm whether there is another one
	 */
	record State(Situation situation, SaleView sale, Stock stock, Speed speed, List<NodeView> nodes, int majority,
			String firstJvm, SecondJvm.State secondJvm) {

	}

}
