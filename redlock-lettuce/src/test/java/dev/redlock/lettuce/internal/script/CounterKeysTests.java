package dev.redlock.lettuce.internal.script;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CounterKeysTests {

	@ParameterizedTest
	@ValueSource(strings = { "stock:42", "redlock:stock:42", "{a}", "x{tag}y", "{a{b}c", "a}b", "{}x", "}{", "{", "}",
			"{}{tag}", "grüße", "a{b" })
	void theCounterIsInTheSlotOfItsKey(String key) {
		assertThat(SlotHash.getSlot(CounterKeys.of(key))).isEqualTo(SlotHash.getSlot(key));
		assertThat(CounterKeys.of(key)).isNotEqualTo(key);
		assertThat(SlotHash.getSlot(CounterKeys.ofTick(key))).isEqualTo(SlotHash.getSlot(key));
	}

	@Test
	void theFormOfTheCounterIsPinned() {
		assertThat(CounterKeys.of("redlock:stock:42")).isEqualTo("{redlock:stock:42}:fence");
		assertThat(CounterKeys.of("x{tag}y")).isEqualTo("{tag}:fence:x{tag}y");
		assertThat(CounterKeys.ofTick("redlock:night-run")).isEqualTo("{redlock:night-run}:tick{}:fence");
		assertThat(CounterKeys.ofTick("x{tag}y")).isEqualTo("{tag}:tick{}:fence:x{tag}y");
	}

	@Test
	void noTwoKeysShareACounter() {
		List<String> keys = List.of("tag", "{tag}", "x{tag}", "{tag}x", "tag}", "{tag", "{{tag}", "{tag}}", "{}tag");
		Set<String> counters = new HashSet<>();
		keys.forEach((key) -> assertThat(counters.add(CounterKeys.of(key))).as(key).isTrue());
		keys.forEach((key) -> assertThat(counters.add(CounterKeys.ofTick(key))).as(key).isTrue());
		assertThat(counters).doesNotContainAnyElementsOf(keys);
	}

}
