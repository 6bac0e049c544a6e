package dev.redlock.test.lateholder;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunTests {

	@Test
	void aTaskOfARunThatIsOverDoesNotCrash() {
		Run run = new Run(1, true, Set.of());
		run.over();
		run.goOn(true);
		assertThat(run.arrive("update", new Mark(run, false, true), List.of(), List.of()))
			.isCompletedWithValue(Touch.UNWATCHED);
	}

}
