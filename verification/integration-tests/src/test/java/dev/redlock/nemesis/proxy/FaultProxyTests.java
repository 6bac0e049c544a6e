package dev.redlock.nemesis.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.redlock.nemesis.proxy.Traffic.Flow;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FaultProxyTests {

	private static final int SHORT_MILLIS = 200;

	private static final int LONG_MILLIS = 10_000;

	/** What the server got, and "end" for the end of a connection. */
	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	@AutoClose
	private ServerSocket server;

	@AutoClose
	private FaultProxy proxy;

	@AutoClose
	private Socket client;

	@BeforeEach
	void start() throws IOException {
		this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		Thread acceptor = new Thread(this::accept, "echo");
		acceptor.setDaemon(true);
		acceptor.start();
		this.proxy = FaultProxy.to(this.server.getLocalPort());
		this.client = connect();
	}

	@Test
	void delayedBytesArriveLaterInEachDirection() throws Exception {
		this.proxy.set(Traffic.delayed(Duration.ofMillis(30), Duration.ofMillis(5)));
		long start = System.nanoTime();
		assertThat(exchange("slow")).isEqualTo("slow");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(60));
	}

	@Test
	void aPartitionKeepsEverythingUntilItHeals() throws Exception {
		this.proxy.set(Traffic.PARTITION);
		write(this.client, bytes("late"));
		this.client.close();
		assertThat(this.received.poll(SHORT_MILLIS, TimeUnit.MILLISECONDS)).isNull();
		this.proxy.set(Traffic.CLEAR);
		assertThat(next()).isEqualTo("late");
		assertThat(next()).isEqualTo("end");
	}

	@Test
	void repliesAloneCanBeLost() throws Exception {
		this.proxy.set(Traffic.CLEAR.with(Flow.PASS, Flow.DROP));
		write(this.client, bytes("heard"));
		assertThat(next()).isEqualTo("heard");
		assertSilence(this.client);
	}

	@Test
	void aBlackHoleAcceptsAndSwallowsAndTheConnectionStaysDeadAfterwards() throws Exception {
		this.proxy.set(Traffic.BLACK_HOLE);
		Socket inTheHole = connect();
		write(inTheHole, bytes("lost"));
		assertSilence(inTheHole);
		this.proxy.set(Traffic.CLEAR);
		write(inTheHole, bytes("lost too"));
		assertSilence(inTheHole);
		assertThat(exchange("untouched")).isEqualTo("untouched");
		inTheHole.close();
		Awaitility.await().until(() -> this.proxy.connections() == 1);
	}

	@Test
	void aResetBreaksBothSides() throws Exception {
		assertThat(exchange("hello")).isEqualTo("hello");
		this.proxy.reset();
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> this.client.getInputStream().read());
		assertThat(next()).isEqualTo("hello");
		assertThat(next()).isEqualTo("end");
		assertThat(this.proxy.connections()).isZero();
	}

	@Test
	void ofAHalfOpenConnectionOnlyTheServerKnowsThatItHasEnded() throws Exception {
		assertThat(exchange("hello")).isEqualTo("hello");
		this.proxy.halfOpen();
		assertThat(next()).isEqualTo("hello");
		assertThat(next()).isEqualTo("end");
		write(this.client, bytes("into the void"));
		assertSilence(this.client);
		this.client.close();
		Awaitility.await().until(() -> this.proxy.connections() == 0);
	}

	private Socket connect() throws IOException {
		return new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
	}

	private String exchange(String text) throws IOException {
		this.client.setSoTimeout(LONG_MILLIS);
		write(this.client, bytes(text));
		return new String(this.client.getInputStream().readNBytes(text.length()), StandardCharsets.UTF_8);
	}

	private String next() throws InterruptedException {
		return this.received.poll(LONG_MILLIS, TimeUnit.MILLISECONDS);
	}

	private void accept() {
		try {
			while (!this.server.isClosed()) {
				Socket socket = this.server.accept();
				Thread echo = new Thread(() -> echo(socket), "echo");
				echo.setDaemon(true);
				echo.start();
			}
		}
		catch (IOException ex) {
			this.received.add("closed");
		}
	}

	private void echo(Socket socket) {
		byte[] buffer = new byte[1024];
		try (socket) {
			for (int count = socket.getInputStream().read(buffer); count >= 0; count = socket.getInputStream()
				.read(buffer)) {
				this.received.add(new String(buffer, 0, count, StandardCharsets.UTF_8));
				socket.getOutputStream().write(buffer, 0, count);
			}
		}
		catch (IOException ex) {
			// The end follows.
		}
		this.received.add("end");
	}

	private static void assertSilence(Socket socket) throws IOException {
		socket.setSoTimeout(SHORT_MILLIS);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
	}

	private static void write(Socket socket, byte[] bytes) throws IOException {
		socket.getOutputStream().write(bytes);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
