package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that ends while its servers are in trouble for a moment.
 */
@Timeout(180)
class TroubledShutdownTests extends ThreeServers {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final LockRequest LONG = LockRequest.of("stock").withTtl(Duration.ofSeconds(50));

	private final List<RedisProcess> servers = List.of(a, b, c);

	@AfterEach
	void empty() {
		this.servers.forEach((server) -> server.command("FLUSHALL"));
	}

	@Test
	void serversThatAreBusyWithAScriptAreReleasedWhenItHasEnded() {
		withLock((context) -> {
			List<CompletableFuture<Void>> scripts = this.servers.stream().map(this::keepBusy).toList();
			CompletableFuture<Void> closing = runOnItsOwnThread(context::close);
			awaitShuttingDown(context.getBean(Redlock.class));
			this.servers.forEach((server) -> server.command("SCRIPT", "KILL"));
			assertThat(closing).succeedsWithin(BOUND);
			assertThat(keys()).isEmpty();
			assertThat(scripts).allSatisfy((script) -> assertThat(script).succeedsWithin(BOUND));
		});
	}

	@Test
	void serversWhoseConnectionsBreakAreReleasedWhenTheyAreBack() {
		withLock((context) -> {
			this.servers.forEach((server) -> server.command("CLIENT", "KILL", "TYPE", "normal"));
			context.close();
			assertThat(keys()).isEmpty();
		});
	}

	private void withLock(Consumer<ConfigurableApplicationContext> test) {
		three()
			.withPropertyValues("redlock.shutdown-timeout=0s", "redlock.shutdown.release-running=true",
					"redlock.node-timeout=20s", "redlock.max-ttl=50s")
			.run((context) -> {
				LockNodes nodes = context.getBean(LockNodes.class);
				Awaitility.await()
					.atMost(BOUND)
					.until(() -> nodes.list()
						.stream()
						.allMatch((node) -> node.status().state().name().equals("READY")));
				assertThat(context.getBean(Redlock.class).attemptInScope(LONG).lease()).isPresent();
				// The slowest server may be asked after the majority has granted.
				Awaitility.await().atMost(BOUND).until(() -> keys().size() == 3);
				test.accept(context.getSourceApplicationContext());
			});
	}

	/** Runs a script that only ends when it is killed. */
	private CompletableFuture<Void> keepBusy(RedisProcess server) {
		server.command("CONFIG", "SET", "busy-reply-threshold", "10");
		CompletableFuture<Void> script = runOnItsOwnThread(() -> server.ask((commands) -> {
			try {
				return commands.eval("while true do end", ScriptOutputType.STATUS);
			}
			catch (RedisException ex) {
				return ex;
			}
		}));
		Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> {
			try {
				return server.ask((commands) -> commands.get("any")) != null;
			}
			catch (RedisException ex) {
				return ex.getMessage().startsWith("BUSY");
			}
		});
		return script;
	}

	/**
	 * The scripts alone can take all threads of the common pool until they are killed.
	 */
	private static CompletableFuture<Void> runOnItsOwnThread(Runnable action) {
		return CompletableFuture.runAsync(action, (run) -> new Thread(run).start());
	}

	private static void awaitShuttingDown(Redlock redlock) {
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> redlock.attemptAndWait(LockRequest.of("late"))
				.reason()
				.equals(Optional.of(Reason.SHUTTING_DOWN)));
	}

	private List<String> keys() {
		List<String> keys = new ArrayList<>();
		this.servers.forEach((server) -> server.<List<String>>ask((commands) -> commands.keys("redlock:stock*"))
			.forEach((key) -> keys.add(server.port() + " " + key)));
		return keys;
	}

}
