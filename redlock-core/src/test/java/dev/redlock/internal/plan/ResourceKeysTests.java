package dev.redlock.internal.plan;

import java.util.List;

import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResourceKeysTests {

	@ParameterizedTest
	@ValueSource(strings = { "stock:42", "{tag}x", "x{redlock-node}", "}:fence", "{}", "{a}:fences", "a}:fence", "*",
			"../x", "redlock:x" })
	void aNameIsPutBehindThePrefixAsItIs(String name) {
		assertThat(ResourceKeys.of(List.of(name), "redlock:")).containsExactly("redlock:" + name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{redlock-node}", "{redlock-node}:since", "{redlock-node}x" })
	void noNameMakesAKeyAboutANode(String name) {
		for (String prefix : List.of("redlock:", "")) {
			assertThatIllegalArgumentException().isThrownBy(() -> ResourceKeys.of(List.of("a", name), prefix))
				.withMessageContaining("not begin with {redlock-node}");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{stock:42}:fence", "{tag}:fence:x{tag}y", "{a{b}:fence", "{job}:tick{}:fence" })
	void noNameMakesTheCounterOfAnotherLock(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceKeys.of(List.of(name), ""))
			.withMessageContaining("counter of another lock")
			.withMessageContaining("key-prefix")
			.withMessageNotContaining(name);
		assertThat(ResourceKeys.of(List.of(name), "redlock:")).containsExactly("redlock:" + name);
	}

	@Test
	void aPrefixThatIsAHashTagDoesNotOpenTheCountersBehindIt() {
		assertThat(ResourceKeys.of(List.of("a"), "{eu}:")).containsExactly("{eu}:a");
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceKeys.of(List.of("fence:{eu}:a"), "{eu}:"))
			.withMessageContaining("counter of another lock");
	}

	@Test
	void aReservedNameIsRefusedByTheLock() {
		LockWorld world = new LockWorld();
		assertThatIllegalArgumentException().isThrownBy(() -> world.redlock.attempt(LockRequest.of("{redlock-node}")));
	}

}
