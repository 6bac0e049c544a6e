package dev.redlock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class QuorumTests {

	@ParameterizedTest
	@CsvSource({ "1,1,1", "2,2,1", "3,2,2", "4,3,2", "5,3,3", "6,4,3", "7,4,4" })
	void majorityAndItsOppositeExcludeEachOther(int nodes, int majority, int blocking) {
		Quorum quorum = new Quorum(nodes);
		assertThat(quorum.majority()).isEqualTo(majority);
		assertThat(quorum.blocking()).isEqualTo(blocking);
		assertThat(majority * 2).isGreaterThan(nodes);
		assertThat(majority + blocking).isEqualTo(nodes + 1);
	}

	@Test
	void noNodesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Quorum(0));
	}

}
