package dev.redlock.spring.fencing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FencedResourceTests {

	private final FencedResource resource = new FencedResource("the printer");

	@Test
	void aFormerHolderIsRefusedOnceALaterOneHasClaimed() {
		this.resource.claim(7);
		this.resource.claim(9);
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> this.resource.claim(7))
			.withMessageStartingWith("the printer refused the fence 7, since it was claimed with 9")
			.satisfies((ex) -> {
				assertThat(ex.fence()).isEqualTo(7);
				assertThat(ex.highest()).isEqualTo(9);
			});
		assertThat(this.resource).hasToString("the printer[fence=9]");
	}

	@Test
	void oneHolderMayClaimAndWriteAgain() {
		this.resource.claim(7);
		this.resource.claim(7);
		assertThat(this.resource.<String>access(7, () -> "written")).isEqualTo("written");
	}

	@Test
	void whatIsRefusedDoesNotRun() {
		this.resource.claim(2);
		AtomicLong runs = new AtomicLong();
		assertThatExceptionOfType(StaleFenceException.class)
			.isThrownBy(() -> this.resource.access(1, runs::incrementAndGet));
		assertThat(runs).hasValue(0);
	}

	@Test
	void ofManyThatClaimAtOnceTheHighestRemains() {
		CompletableFuture<?>[] claims = LongStream.rangeClosed(1, 200)
			.mapToObj((fence) -> CompletableFuture.runAsync(() -> {
				try {
					this.resource.claim(fence);
				}
				catch (StaleFenceException ex) {
					assertThat(ex.highest()).isGreaterThan(fence);
				}
			}))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(claims).join();
		assertThat(this.resource.highest()).isEqualTo(200);
	}

	@Test
	void aLeaseWithoutAFenceIsNoClaim() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.resource.claim(0))
			.withMessageContaining("CurrentLease.require().fence()");
	}

}
