package dev.redlock.nemesis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

/**
 * A process that is stopped while it holds a lock, and says what it finds when it wakes.
 */
final class StoppedHolder {

	static final String NAME = "held";

	static final Duration TTL = Duration.ofSeconds(2);

	private static final LockRequest REQUEST = LockRequest.of(NAME).withTtl(TTL);

	private StoppedHolder() {
	}

	/**
	 * Arguments: the address of the resources, and those of the servers.
	 */
	public static void main(String[] args) throws Exception {
		List<String> servers = Arrays.stream(args).skip(1).toList();
		try (RedlockDriver driver = new RedlockDriver(); ResourceClient resources = new ResourceClient(args[0])) {
			driver.connect(servers, false);
			System.out.println("the call " + hold(driver.bean(RedLockTemplate.class), resources));
			System.out.println(ClientProcess.IDLE);
		}
	}

	private static String hold(RedLockTemplate template, ResourceClient resources) {
		try {
			template.execute(REQUEST, (lease) -> {
				long read = resources.claim(NAME, lease.fence());
				System.out.println(ClientProcess.READY);
				standStill();
				System.out.println("valid " + lease.isValid());
				System.out.println("nested " + nested(template));
				System.out.println("late write " + resources.writeChecked(NAME, lease.fence(), read));
				return read;
			});
			return "was told nothing";
		}
		catch (LockLostException ex) {
			return "was told of the loss";
		}
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
