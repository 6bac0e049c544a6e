package dev.redlock.nemesis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;

/**
 * A process whose machine is suspended while it holds nothing, and that asks for a lock
 * when it wakes.
 */
final class SuspendedClient {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

	/**
	 * Shorter than a quarantine, and long enough for some tries on a loaded machine.
	 */
	private static final Duration SHORT_WAIT = SuspendedHolder.TTL.dividedBy(2);

	private SuspendedClient() {
	}

	/**
	 * Arguments: the addresses of the servers.
	 */
	public static void main(String[] args) {
		try (RedlockDriver driver = new RedlockDriver()) {
			driver.connect(List.of(args), true, SuspendedHolder.PROPERTIES);
			System.out.println("before " + gets(driver, LONGEST_WAIT));
			System.out.println(ClientProcess.READY);
			new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
			System.out.println("soon " + gets(driver, SHORT_WAIT));
			System.out.println(ClientProcess.IDLE);
		}
	}

	private static boolean gets(RedlockDriver driver, Duration wait) {
		return driver.acquire(SuspendedHolder.NAME, SuspendedHolder.TTL, wait)
			.filter((grant) -> grant.release() > 0)
			.isPresent();
	}

}
