package dev.redlock;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import dev.redlock.Inspection.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SafeNamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "stock:42", "a b", "größe:ß", "日本語", "\uD83D\uDE00", "#{}", "a~sha256:b" })
	void ordinaryTextStaysAsItIs(String name) {
		assertThat(SafeNames.of(name)).isSameAs(name);
	}

	@Test
	void nameOfMaximumLengthStaysAsItIs() {
		String name = "x".repeat(SafeNames.MAX_BYTES);
		assertThat(SafeNames.of(name)).isSameAs(name);
	}

	/**
	 * Must never change: two versions that run side by side have to lock the same key.
	 */
	@Test
	void longNameKeepsItsHeadAndTheHashOfTheRest() {
		assertThat(SafeNames.of("x".repeat(1025)))
			.isEqualTo("x".repeat(512) + "~sha256:35ade0090e64e74d6ad04204009c23a4e34b82bdf0f4f317fbcc5f26f9b10241");
		assertThat(SafeNames.of("ab" + "é".repeat(1024))).startsWith("ab" + "é".repeat(255) + "~sha256:");
		assertThat(SafeNames.of("a" + "é".repeat(1024))).startsWith("a" + "é".repeat(255) + "~sha256:");
	}

	@Test
	void longNamesThatDifferAnywhereStayDifferent() {
		String name = "y".repeat(2000);
		assertThat(Stream.of(name, name + "y", "x" + name.substring(1), name.substring(1) + "x", name.substring(1))
			.map(SafeNames::of)).doesNotHaveDuplicates()
			.allSatisfy((safe) -> assertThat(safe.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(584));
	}

	@Test
	void everyRequestAsksForSafeNames() {
		String name = "x".repeat(5000);
		assertThat(LockRequest.of(name).resources()).containsExactly(SafeNames.of(name));
		assertThat(LockRequest.of("y", name).resources()).containsExactly(SafeNames.of(name), "y");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a\nb"));
	}

	@Test
	void lockIsInspectedAndRevokedByItsLongName() {
		LockWorld world = new LockWorld(3);
		String name = "x".repeat(5000);
		Lease lease = world.acquire(name);
		assertThat(completed(world.redlock.inspect(name)).verdict()).isEqualTo(Verdict.HELD);
		assertThat(world.redlock.revoke(name)).isPresent();
		assertThat(lease.isValid()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\0b", "a\nb", "a\u007Fb", "a\u0085b", "a\uD83Db", "a\uDE00b", "a\uD83D" })
	void whatIsNoTextIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> SafeNames.of(name))
			.withMessageContaining("U+")
			.withMessageContaining("position 1")
			.withMessageContaining("Base64");
	}

}
