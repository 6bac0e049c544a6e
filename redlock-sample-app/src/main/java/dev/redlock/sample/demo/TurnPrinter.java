package dev.redlock.sample.demo;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Sends every turn to the first JVM.
 */
@Component
@Profile("second-jvm")
final class TurnPrinter implements TurnListener {

	private final JsonMapper json;

	TurnPrinter(JsonMapper json) {
		this.json = json;
	}

	@Override
	public void turnChanged(Turn turn) {
		// One call for the whole line, because other threads print too.
		System.out.println(Pipe.TURN + this.json.writeValueAsString(turn));
	}

}
