package dev.redlock.sample.demo;

import dev.redlock.RedlockSettings;
import dev.redlock.sample.demo.SaleDesk.SaleView;
import dev.redlock.sample.shop.Stock;

import org.springframework.stereotype.Component;

/**
 * Collects the state of the sale, the nodes and the JVMs for the page.
 */
@Component
@FirstJvm
final class Observer {

	private final SaleDesk sale;

	private final NodeDesk nodes;

	private final SecondJvm secondJvm;

	private final Standstill standstill;

	private final Journal journal;

	private final String firstJvm;

	Observer(SaleDesk sale, NodeDesk nodes, SecondJvm secondJvm, Standstill standstill, Journal journal,
			RedlockSettings settings) {
		this.sale = sale;
		this.nodes = nodes;
		this.secondJvm = secondJvm;
		this.standstill = standstill;
		this.journal = journal;
		this.firstJvm = settings.owner();
	}

	Frame.State look(long nowMicros) {
		SaleView view = this.sale.view();
		Stock stock = this.sale.stock();
		Electorate electorate = new Electorate(this.nodes.view());
		return new Frame.State(situation(view, stock, electorate, nowMicros), view, stock, this.sale.results(),
				electorate.nodes(), electorate.majority(), this.firstJvm, this.secondJvm.state());
	}

	private Situation situation(SaleView view, Stock stock, Electorate electorate, long nowMicros) {
		boolean waits = view.open() && view.protection().locks();
		long quietSince = Math.max(this.sale.openedMicros(), this.journal.lastSaleMicros());
		Situation why = this.standstill.explain(waits ? nowMicros - quietSince : 0);
		if (!electorate.hasMajority() && (waits || !view.open())) {
			return Situation.noQuorum(electorate, view.open());
		}
		return (why != null) ? why : Situation.of(view, stock);
	}

}
