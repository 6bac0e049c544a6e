package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PermittedMethodTests {

	private final LockWorld world = new LockWorld();

	private final List<Lease> others = new ArrayList<>();

	@Test
	void aCallRunsWhileAPermitIsFree() {
		withScanner((scanner) -> {
			takenByAnotherProcess();
			scanner.scan(() -> assertThat(CurrentLease.require("ocr").isPermit()).isTrue());
			takenByAnotherProcess();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> scanner.scan(Stock.MUST_NOT_RUN))
				.withMessageContaining("ocr");
			this.others.get(0).close();
			scanner.scan(() -> {
			});
		});
	}

	@Test
	void methodsWhoseNamesDifferByTheMethodMayHaveDifferentPermits() {
		LockedContexts.runner(this.world).withBean(Printer.class).run((context) -> {
			assertThat(context.getBean(Printer.class).print()).isEqualTo("[print]");
			assertThat(context.getBean(Printer.class).copy()).isEqualTo("[copy]");
		});
	}

	private void takenByAnotherProcess() {
		this.others.add(this.world.other.attemptAndWait(LockRequest.of("ocr").withPermits(2)).orThrow());
	}

	private void withScanner(Consumer<Scanner> test) {
		LockedContexts.runner(this.world)
			.withBean(Scanner.class)
			.run((context) -> test.accept(context.getBean(Scanner.class)));
	}

	static class Scanner {

		@RedLock(resource = "ocr", permits = 2, waitFor = "0")
		void scan(Runnable inside) {
			inside.run();
		}

	}

	static class Printer {

		@RedLock("#{#root.method.name}")
		String print() {
			return CurrentLease.require().resources().toString();
		}

		@RedLock(resource = "#{#root.method.name}", permits = 2)
		String copy() {
			return CurrentLease.require().resources().toString();
		}

	}

}
