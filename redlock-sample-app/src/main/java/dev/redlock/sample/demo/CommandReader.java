package dev.redlock.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.sample.demo.Command.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Obeys the commands of the first JVM. This JVM ends when the first has ended for any
 * reason, because the operating system then closes the pipe.
 */
@Component
@Profile("second-jvm")
final class CommandReader implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(CommandReader.class);

	private static final int SHUTDOWN_WITHIN_SECONDS = 8;

	private final Buyers buyers;

	private final JsonMapper json;

	CommandReader(Buyers buyers, JsonMapper json) {
		this.buyers = buyers;
		this.json = json;
	}

	@EventListener
	void begin(ApplicationReadyEvent ready) {
		Thread thread = new Thread(this, "commands");
		thread.start();
		System.out.println(Pipe.READY);
	}

	@Override
	public void run() {
		try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String line = commands.readLine(); line != null; line = commands.readLine()) {
				obey(this.json.readValue(line, Command.class));
			}
		}
		catch (IOException ex) {
			logger.warn("The commands of the first JVM cannot be read any more", ex);
		}
		leave();
	}

	private void obey(Command command) {
		command.applyTo(this.buyers);
		if (command.kind() == Kind.STOP) {
			System.out.println(Pipe.GONE);
		}
	}

	/**
	 * Releases the locks. The servers may be gone as well, so the time for it is limited.
	 */
	private static void leave() {
		CompletableFuture.delayedExecutor(SHUTDOWN_WITHIN_SECONDS, TimeUnit.SECONDS)
			.execute(() -> Runtime.getRuntime().halt(1));
		System.exit(0);
	}

}
