package dev.redlock.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.Vote;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that uses each ticket that it reads, and holds the lease until it is told to
 * release it. Arguments are properties.
 */
final class TicketProcess {

	private TicketProcess() {
	}

	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext context = HoldingProcess.start(args)) {
			LockedApplication.awaitReady(context);
			Redlock redlock = context.getBean(Redlock.class);
			BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			say("ready");
			for (String ticket = input.readLine(); ticket != null; ticket = input.readLine()) {
				LockAttempt attempt = redlock.attemptAndWait(LockRequest.succeeding(ticket));
				boolean contested = attempt.votes().stream().anyMatch((vote) -> vote.vote() instanceof Vote.Granted);
				say("answer " + (attempt.lease().isPresent() ? "won" : contested ? "contested" : "lost"));
				input.readLine();
				attempt.lease().ifPresent(Lease::close);
				say("ended");
			}
		}
	}

	private static void say(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
