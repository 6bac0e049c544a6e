package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A method that returns a stream holds its lock until the stream is closed.
 */
class HeldStreamTests {

	private final LockWorld world = new LockWorld();

	@Test
	void lockIsHeldUntilTheStreamIsClosed() {
		with((rows) -> {
			try (Stream<String> stream = rows.all(() -> {
			})) {
				assertThat(stream.map((row) -> row + this.world.isHeld("x")).toList()).containsExactly("1true",
						"2true");
				assertThat(this.world.isHeld("x")).isTrue();
			}
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void lockIsHeldForStreamsOfPrimitivesToo() {
		with((rows) -> {
			try (IntStream stream = rows.numbers()) {
				assertThat(stream.sum()).isEqualTo(3);
				assertThat(this.world.isHeld("x")).isTrue();
			}
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void closeHandlersOfTheMethodRunUnderTheLock() {
		with((rows) -> {
			AtomicBoolean held = new AtomicBoolean();
			rows.given(Stream.of("1").onClose(() -> held.set(this.world.isHeld("x")))).close();
			assertThat(held).isTrue();
		});
	}

	@Test
	void streamThatIsNeverClosedHoldsTheLockForItsTtlOnly() {
		with((rows) -> {
			rows.numbers();
			this.world.time.advance(Duration.ofSeconds(29));
			assertThat(this.world.isHeld("x")).isTrue();
			this.world.time.advance(Duration.ofSeconds(2));
			assertThat(this.world.other.attemptAndWait(this.world.now("x")).lease()).isPresent();
		});
	}

	@Test
	void streamThatIsNeverClosedIsRenewedUntilItsMaxHoldOnly() {
		with((rows) -> {
			rows.renewed();
			advanceBySteps(Duration.ofSeconds(50));
			assertThat(this.world.other.attemptAndWait(this.world.now("x")).lease()).isEmpty();
			advanceBySteps(Duration.ofSeconds(50));
			assertThat(this.world.other.attemptAndWait(this.world.now("x")).lease()).isPresent();
		});
	}

	@Test
	void lossIsThrownWhenTheStreamIsClosed() {
		with((rows) -> {
			IntStream stream = rows.numbers();
			this.world.time.advance(LockWorld.TOO_LONG);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(stream::close);
		});
	}

	@Test
	void lossThatIsToBeIgnoredIsNotThrown() {
		with((rows) -> {
			Stream<String> stream = rows.ignoring();
			this.world.time.advance(LockWorld.TOO_LONG);
			stream.close();
		});
	}

	@Test
	void streamOfAMethodThatLostItsLockIsClosed() {
		with((rows) -> {
			AtomicBoolean closed = new AtomicBoolean();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> rows.lost(() -> {
				this.world.time.advance(LockWorld.TOO_LONG);
				return Stream.of("1").onClose(() -> closed.set(true));
			}));
			assertThat(closed).isTrue();
		});
	}

	@Test
	void lockIsReleasedAtOnceWithoutAStream() {
		with((rows) -> {
			assertThatIllegalStateException().isThrownBy(() -> rows.all(() -> {
				throw new IllegalStateException("of the method");
			})).withMessage("of the method");
			assertThat(this.world.isHeld("x")).isFalse();
			assertThat(rows.given(null)).isNull();
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void methodBodyRunsUnderTheLeaseAndReEnters() {
		with((rows) -> rows.all(() -> {
			assertThat(CurrentLease.require().resources()).containsExactly("x");
			rows.numbers().close();
			assertThat(this.world.isHeld("x")).isTrue();
		}).close());
	}

	@Test
	void streamOfANestedCallKeepsAllThatItNeeds() {
		withContext((context) -> {
			Rows rows = context.getBean(Rows.class);
			Stream<String> stream = context.getBean(RedLockTemplate.class)
				.execute(LockRequest.of("x"), (lease) -> rows.ofTwo());
			assertThat(this.world.isHeld("x")).isTrue();
			assertThat(this.world.isHeld("y")).isTrue();
			stream.close();
			assertThat(this.world.isHeld("x")).isFalse();
			assertThat(this.world.isHeld("y")).isFalse();
		});
	}

	@Test
	void callThatDoesNotGetTheLockIsSkippedOrFallsBack() {
		with((rows) -> {
			assertThat(this.world.other.attemptAndWait(this.world.now("x")).lease()).isPresent();
			assertThat(rows.skipping()).isNull();
			assertThat(rows.fallingBack()).containsExactly("instead");
		});
	}

	@Test
	void interruptOfWorkThatRunsLaterIsRefusedAtStart() {
		LockedContexts.runner(this.world)
			.withBean(Interrupting.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageContaining("onLoss")
				.hasMessageContaining("cannot be interrupted")
				.hasMessageContaining("Write THROW"));
	}

	private void advanceBySteps(Duration time) {
		for (long second = 0; second < time.toSeconds(); second++) {
			this.world.time.advance(Duration.ofSeconds(1));
		}
	}

	private void with(Consumer<Rows> test) {
		withContext((context) -> test.accept(context.getBean(Rows.class)));
	}

	private void withContext(Consumer<ApplicationContext> test) {
		LockedContexts.runner(this.world).withBean(Rows.class).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	static class Rows {

		@RedLock("x")
		public Stream<String> all(Runnable body) {
			body.run();
			return Stream.of("1", "2");
		}

		@RedLock("x")
		public IntStream numbers() {
			return IntStream.of(1, 2);
		}

		@RedLock("x")
		public BaseStream<String, ?> given(Stream<String> stream) {
			return stream;
		}

		@RedLock(resource = "x", renew = RedLock.Renew.ON, maxHold = "1m")
		public Stream<String> renewed() {
			return Stream.of("1");
		}

		@RedLock(resource = "x", onLoss = RedLock.OnLoss.IGNORE)
		public Stream<String> ignoring() {
			return Stream.of("1");
		}

		@RedLock("x")
		public Stream<String> lost(Supplier<Stream<String>> body) {
			return body.get();
		}

		@RedLock({ "x", "y" })
		public Stream<String> ofTwo() {
			return Stream.of("1");
		}

		@RedLock(resource = "x", waitFor = "0", onFailure = RedLock.OnFailure.SKIP)
		public Stream<String> skipping() {
			throw new AssertionError();
		}

		@RedLock(resource = "x", waitFor = "0", fallback = "instead")
		public Stream<String> fallingBack() {
			throw new AssertionError();
		}

		private Stream<String> instead() {
			return Stream.of("instead");
		}

	}

	static class Interrupting {

		@RedLock(resource = "x", onLoss = RedLock.OnLoss.INTERRUPT)
		public Stream<String> all() {
			return Stream.of("1");
		}

	}

}
