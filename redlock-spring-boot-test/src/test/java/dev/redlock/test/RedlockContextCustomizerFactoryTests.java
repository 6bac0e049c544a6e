package dev.redlock.test;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedlockContextCustomizerFactoryTests {

	@ParameterizedTest
	@ValueSource(classes = { EmbeddedAndScripted.class, EmbeddedWithoutLocks.class, ScriptedWithoutLocks.class })
	void aTestHasOneKindOfNodes(Class<?> test) {
		assertThatIllegalStateException()
			.isThrownBy(() -> new RedlockContextCustomizerFactory().createContextCustomizer(test, List.of()))
			.withMessageContaining(test.getName() + " has @")
			.withMessageContaining("Remove the others");
	}

	@EmbeddedRedlock
	@ScriptedRedlock
	static class EmbeddedAndScripted {

	}

	@EmbeddedRedlock
	@WithoutLocks
	static class EmbeddedWithoutLocks {

	}

	@ScriptedRedlock
	@WithoutLocks
	static class ScriptedWithoutLocks {

	}

}
