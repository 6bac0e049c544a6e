package dev.redlock.sample.demo;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Serves the buttons of the page and its stream of events.
 */
@RestController
@FirstJvm
@RequestMapping("/demo")
@ResponseStatus(HttpStatus.NO_CONTENT)
class DemoController {

	private static final int FEWEST_BUYERS = 2;

	private static final int MOST_BUYERS = 16;

	private static final int MOST_UNITS = 10_000;

	private final SaleDesk sale;

	private final NodeDesk nodes;

	private final SecondJvm secondJvm;

	private final Broadcast broadcast;

	DemoController(SaleDesk sale, NodeDesk nodes, SecondJvm secondJvm, Broadcast broadcast) {
		this.sale = sale;
		this.nodes = nodes;
		this.secondJvm = secondJvm;
		this.broadcast = broadcast;
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	@ResponseStatus(HttpStatus.OK)
	SseEmitter events(@RequestHeader(name = "Last-Event-ID", required = false) @Nullable String read) {
		return this.broadcast.subscribe(Position.parse(read));
	}

	@PostMapping("/sale/open")
	void open(@RequestParam boolean locked, @RequestParam int buyers, @RequestParam int units) {
		check("buyers", buyers, FEWEST_BUYERS, MOST_BUYERS);
		check("units", units, 1, MOST_UNITS);
		this.sale.open(locked, buyers, units);
	}

	@PostMapping("/sale/close")
	void close() {
		this.sale.close();
	}

	@PostMapping("/sale/reset")
	void reset(@RequestParam int units) {
		check("units", units, 1, MOST_UNITS);
		this.sale.reset(units);
	}

	@PostMapping("/fence")
	void fence(@RequestParam boolean checked) {
		this.sale.checkFence(checked);
	}

	@PostMapping("/holder/pause")
	void pauseHolder() {
		this.sale.pauseHolder();
	}

	@PostMapping("/second-jvm")
	void secondJvm(@RequestParam boolean running) {
		if (running) {
			this.secondJvm.open();
		}
		else {
			this.secondJvm.close();
		}
	}

	@PostMapping("/nodes/heal")
	void healAll() {
		this.nodes.healAll();
	}

	@PostMapping("/nodes/{name}/{action}")
	void act(@PathVariable String name, @PathVariable String action) {
		this.nodes.act(name, action(action));
	}

	private static NodeAction action(String name) {
		for (NodeAction action : NodeAction.values()) {
			if (action.name().toLowerCase(Locale.ROOT).equals(name)) {
				return action;
			}
		}
		throw new IllegalArgumentException("A node can be told kill, freeze, restart, cut or heal, not " + name + ".");
	}

	private static void check(String what, int value, int least, int most) {
		if (value < least || value > most) {
			throw new IllegalArgumentException(
					what + " is a number from " + least + " to " + most + ", not " + value + ".");
		}
	}

}
