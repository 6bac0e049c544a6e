package dev.redlock.lettuce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

/**
 * Starts servers that only talk TLS, on a free port. Not every build of Redis can:
 * whether it does, {@link RedisProcess#isRunning()} tells.
 */
public final class EncryptedRedis {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private EncryptedRedis() {
	}

	/**
	 * Starts a server that knows no client certificates, unless the options say so.
	 */
	public static RedisProcess start(Path certificate, Path key, String... options) {
		return start(List.of(RedisProcess.executable(), "--save", ""), certificate, key, options);
	}

	/**
	 * Starts a sentinel with a configuration of which it may make its own.
	 */
	public static RedisProcess startSentinel(Path configuration, Path certificate, Path key, String... options) {
		return start(List.of(RedisProcess.executable(), configuration.toString(), "--sentinel"), certificate, key,
				options);
	}

	private static RedisProcess start(List<String> command, Path certificate, Path key, String... options) {
		RedisProcess redis = new RedisProcess(FreePort.find(), List.of(options), true);
		List<String> arguments = new ArrayList<>(command);
		arguments.addAll(List.of("--port", "0", "--tls-port", Integer.toString(redis.port()), "--bind", "127.0.0.1",
				"--dir", redis.directory().toString(), "--tls-cert-file", certificate.toString(), "--tls-key-file",
				key.toString(), "--tls-auth-clients", "no"));
		arguments.addAll(List.of(options));
		redis.launch(arguments);
		Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> !redis.isRunning() || accepts(redis.port()));
		return redis;
	}

	private static boolean accepts(int port) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
	}

}
