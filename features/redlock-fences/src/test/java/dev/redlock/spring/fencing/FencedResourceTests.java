package dev.redlock.spring.fencing;

import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.redlock.LockWorld;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class FencedResourceTests {

	private final FencedResource resource = new FencedResource("the printer");

	@Test
	void aFormerHolderIsRefusedOnceALaterOneHasClaimed() {
		this.resource.claim(7);
		this.resource.claim(9);
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> this.resource.claim(7))
			.withMessageStartingWith("the printer refused the fence 7, because it has seen the newer fence 9")
			.satisfies((ex) -> {
				assertThat(ex.fence()).isEqualTo(7);
				assertThat(ex.highest()).isEqualTo(9);
			});
		assertThat(this.resource).hasToString("the printer[fence=9]");
	}

	@Test
	void aHolderClaimsWithTheFenceOfTheNamedLock() {
		LockWorld world = new LockWorld();
		RedLockTemplate template = new RedLockTemplate(world.redlock, Runnable::run);
		template.<Void>execute(world.now("printer"),
				(printer) -> template.execute(world.now("printer", "paper"), (both) -> {
					this.resource.claim("printer");
					assertThat(this.resource.<String>access("printer", () -> "written")).isEqualTo("written");
					assertThat(this.resource.highest()).isEqualTo(printer.fence());
					return null;
				}));
		assertThatIllegalStateException().isThrownBy(() -> this.resource.claim("printer"))
			.withMessageContaining("needs the lock on printer, and the current thread holds no lock");
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
