package dev.redlock.nemesis.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy on this machine that delays, holds, swallows and breaks what passes it. One
 * thread serves all its connections; what it keeps of each is bounded. Thread-safe: a
 * change is in force when the call returns.
 */
public final class FaultProxy implements AutoCloseable {

	private static final int LONGEST_CHANGE_SECONDS = 10;

	private final ProxyLoop loop;

	private final Thread thread;

	private FaultProxy(ProxyLoop loop) {
		this.loop = loop;
		this.thread = new Thread(loop, "fault-proxy-" + loop.port());
		this.thread.setDaemon(true);
	}

	/**
	 * Opens a proxy that passes everything on.
	 * @param port the port of the server on 127.0.0.1
	 * @return the proxy
	 */
	public static FaultProxy to(int port) {
		try {
			FaultProxy proxy = new FaultProxy(ProxyLoop.open(port));
			proxy.thread.start();
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A proxy to port " + port + " could not be opened", ex);
		}
	}

	/**
	 * The port on 127.0.0.1 to connect to instead of the server's.
	 * @return the port
	 */
	public int port() {
		return this.loop.port();
	}

	/**
	 * Sets what becomes of the bytes of all connections, present and future.
	 * @param traffic what becomes of them
	 */
	public void set(Traffic traffic) {
		change(() -> this.loop.set(traffic));
	}

	/**
	 * Breaks all connections on both sides, with a reset.
	 */
	public void reset() {
		change(this.loop::reset);
	}

	/**
	 * Closes the server's side of all connections without telling the clients, whose
	 * bytes are swallowed from now on. New connections are not concerned.
	 */
	public void halfOpen() {
		change(this.loop::halfOpen);
	}

	/**
	 * How many connections there are.
	 * @return the number
	 */
	public int connections() {
		CompletableFuture<Integer> count = new CompletableFuture<>();
		change(() -> count.complete(this.loop.connections()));
		return count.join();
	}

	/**
	 * Breaks all connections and stops listening.
	 */
	@Override
	public void close() {
		this.loop.close();
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(LONGEST_CHANGE_SECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void change(Runnable task) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.loop.execute(() -> {
			task.run();
			done.complete(null);
		});
		done.orTimeout(LONGEST_CHANGE_SECONDS, TimeUnit.SECONDS).join();
	}

}
