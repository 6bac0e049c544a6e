package dev.redlock.sample.demo;

import java.util.List;

import dev.redlock.RedlockSettings;
import dev.redlock.sample.demo.Note.Tone;
import dev.redlock.sample.demo.SaleDesk.SaleView;
import dev.redlock.sample.shop.Stock;

import org.springframework.context.event.EventListener;
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

	private final Figures figures;

	private final Standstill standstill;

	private final Journal journal;

	private final String firstJvm;

	Observer(SaleDesk sale, NodeDesk nodes, SecondJvm secondJvm, Figures figures, Standstill standstill,
			Journal journal, RedlockSettings settings) {
		this.sale = sale;
		this.nodes = nodes;
		this.secondJvm = secondJvm;
		this.figures = figures;
		this.standstill = standstill;
		this.journal = journal;
		this.firstJvm = settings.owner();
	}

	Frame.State look(long nowMicros) {
		SaleView view = this.sale.view();
		Stock stock = this.sale.stock();
		Electorate electorate = new Electorate(this.nodes.view());
		return new Frame.State(situation(view, stock, electorate, nowMicros), view, stock, this.sale.results(),
				this.figures.speed(nowMicros), electorate.nodes(), electorate.majority(), this.firstJvm,
				this.secondJvm.state());
	}

	@EventListener
	void secondJvmChanged(SecondJvmEvent event) {
		switch (event.state()) {
			case STARTING -> this.journal.note(Tone.PLAIN, "A second JVM is starting.");
			case RUNNING -> this.journal.note(Tone.GOOD, "The second JVM is there, on the same nodes and stock.");
			case OFF -> this.journal.note(Tone.PLAIN, "The second JVM has ended.");
		}
	}

	private Situation situation(SaleView view, Stock stock, Electorate electorate, long nowMicros) {
		boolean waits = view.open() && view.protection().locks();
		long quietSince = Math.max(this.sale.openedMicros(), this.figures.lastSaleMicros());
		Situation why = this.standstill.explain(waits ? nowMicros - quietSince : 0);
		if (!electorate.hasMajority() && (waits || !view.open())) {
			return Situation.noQuorum(electorate, view.open());
		}
		return (why != null) ? why : Situation.of(view, stock);
	}

}
