package dev.redlock.benchmarks.measure;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CommandsTests {

	private static final String INFO = """
			# Commandstats
			cmdstat_evalsha:calls=7,usec=10,usec_per_call=1.4,rejected_calls=0,failed_calls=0
			cmdstat_set:calls=5,usec=10,usec_per_call=2.0,rejected_calls=0,failed_calls=0
			cmdstat_client|setinfo:calls=2,usec=1,usec_per_call=0.5,rejected_calls=0,failed_calls=0
			cmdstat_client|setname:calls=1,usec=1,usec_per_call=1.0,rejected_calls=0,failed_calls=0
			cmdstat_info:calls=9,usec=10,usec_per_call=1.1,rejected_calls=0,failed_calls=0
			""";

	@Test
	void everyCommandButTheQuestionItselfIsCounted() {
		assertThat(Commands.parse(INFO)).containsOnly(Map.entry("evalsha", 7L), Map.entry("set", 5L),
				Map.entry("client", 3L));
	}

	@Test
	void whatScriptsCallIsNotSent() {
		Commands commands = new Commands(Commands.parse(INFO));
		assertThat(commands.all()).isEqualTo(15);
		assertThat(commands.sent(Set.of())).isEqualTo(10);
		assertThat(commands.sent(Set.of("set"))).isEqualTo(15);
	}

	@Test
	void differencesAreTakenCommandByCommand() {
		Commands before = new Commands(Map.of("set", 2L));
		Commands since = new Commands(Map.of("set", 5L, "get", 1L)).since(before);
		assertThat(since.calls()).containsOnly(Map.entry("set", 3L), Map.entry("get", 1L));
	}

}
