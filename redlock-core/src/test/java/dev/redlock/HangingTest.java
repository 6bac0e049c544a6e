package dev.redlock;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/**
 * The end of a test that hangs. JUnit interrupts a test after its timeout, on its own
 * thread, because transactions and contexts of Spring are bound to that thread. A test
 * that does not heed the interrupt would still hang, so its JVM is ended a while later.
 * Registered once, for each test of the modules that use the tests of the core.
 */
public final class HangingTest implements PreInterruptCallback {

	private static final long GRACE_SECONDS = 30;

	@Override
	public void beforeThreadInterrupt(PreInterruptContext hanging, ExtensionContext test) {
		AtomicBoolean over = new AtomicBoolean();
		AutoCloseable atEnd = () -> over.set(true);
		test.getStore(Namespace.create(HangingTest.class)).put("end", atEnd);
		CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS).execute(() -> {
			if (!over.get()) {
				endJvm(test, hanging.getThreadToInterrupt());
			}
		});
	}

	private static void endJvm(ExtensionContext test, Thread thread) {
		// The file descriptor, because the stream of the test run may not be flushed.
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
		out.println(test.getRequiredTestClass().getName() + ", " + test.getDisplayName()
				+ ": hangs and does not heed an interrupt. Ending the JVM of the tests. It is here:");
		for (StackTraceElement element : thread.getStackTrace()) {
			out.println("\tat " + element);
		}
		Runtime.getRuntime().halt(1);
	}

}
