package dev.redlock.nemesis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

/**
 * A process whose machine is suspended while it holds a lock, and that says what it finds
 * when it wakes.
 */
final class SuspendedHolder {

	static final String NAME = "held";

	/**
	 * Much longer than a second, within which a loss is told after waking.
	 */
	static final Duration TTL = Duration.ofSeconds(6);

	static final Map<String, Object> PROPERTIES = Map.of("redlock.ttl", TTL, "redlock.max-ttl", TTL);

	static final String FENCE = "fence ";

	private static final LockRequest REQUEST = LockRequest.of(NAME);

	private SuspendedHolder() {
	}

	/**
	 * Arguments: the address of the resources, and those of the servers.
	 */
	public static void main(String[] args) throws Exception {
		List<String> servers = Arrays.stream(args).skip(1).toList();
		try (RedlockDriver driver = new RedlockDriver(); ResourceClient resources = new ResourceClient(args[0])) {
			driver.connect(servers, false, PROPERTIES);
			System.out.println("the call " + hold(driver.bean(RedLockTemplate.class), resources));
			System.out.println(ClientProcess.IDLE);
		}
	}

	private static String hold(RedLockTemplate template, ResourceClient resources) {
		try {
			template.execute(REQUEST, (lease) -> {
				long read = resources.claim(NAME, lease.fence());
				System.out.println(FENCE + lease.fence());
				long ownEndNanos = System.nanoTime() + lease.remaining().toNanos();
				System.out.println(ClientProcess.READY);
				standStill();
				boolean valid = lease.isValid();
				System.out.println("valid " + valid);
				System.out.println("nested " + nested(template));
				System.out.println("late write " + resources.writeChecked(NAME, lease.fence(), read));
				if (!valid) {
					awaitLoss(lease);
					boolean before = System.nanoTime() - ownEndNanos < 0;
					System.out.println("told " + (before ? "before" : "after") + " the end by the monotonic clock");
				}
				return read;
			});
			return "was told nothing";
		}
		catch (LockLostException ex) {
			return "was told of the loss";
		}
	}

	private static void awaitLoss(Lease lease) {
		lease.lost().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static String nested(RedLockTemplate template) {
		try {
			return template.execute(REQUEST, (lease) -> "ran");
		}
		catch (LockLostException ex) {
			return "was told of the loss";
		}
	}

	/**
	 * Returns when the process has been told to go on, which it can only read when it is
	 * not stopped.
	 */
	private static void standStill() {
		new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
	}

}
