package dev.redlock.sample.demo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PositionTests {

	@Test
	void isReadAsItWasWritten() {
		Position position = new Position("hodagvvlc4", 17);
		assertThat(Position.parse(position.toString())).isEqualTo(position);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "17", "a-b-c", "abc-", "-1", "abc-99999999999999999999", "<script>-1" })
	void anythingElseIsTheStart(String text) {
		assertThat(Position.parse(text)).isEqualTo(Position.START);
	}

}
