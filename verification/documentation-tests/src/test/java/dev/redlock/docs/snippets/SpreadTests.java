package dev.redlock.docs.snippets;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SpreadTests {

	@Test
	void aNameAlwaysGoesToTheSameInstances() {
		assertThat(Spread.spread("stock:1")).isEqualTo(Spread.spread("stock:1"));
		assertThat(List.of("a", "b").stream().map((name) -> Spread.spread(name).instances()).distinct()).hasSize(2);
	}

}
