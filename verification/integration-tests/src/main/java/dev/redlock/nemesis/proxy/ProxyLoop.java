package dev.redlock.nemesis.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a proxy.
 */
final class ProxyLoop implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(ProxyLoop.class);

	private static final int MOST_CONNECTIONS = 256;

	private static final long LONGEST_WAIT_MILLIS = 1_000;

	/**
	 * A selector waits whole milliseconds, which is too coarse for a delay of one.
	 */
	private static final long FINE_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	private final Selector selector;

	private final ServerSocketChannel listener;

	private final InetSocketAddress server;

	private final SplittableRandom random;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final List<Conduit> conduits = new ArrayList<>();

	private Traffic traffic = Traffic.CLEAR;

	private volatile boolean closed;

	private ProxyLoop(Selector selector, ServerSocketChannel listener, int serverPort) {
		this.selector = selector;
		this.listener = listener;
		this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
		this.random = new SplittableRandom(serverPort);
	}

	static ProxyLoop open(int serverPort) throws IOException {
		Selector selector = Selector.open();
		ServerSocketChannel listener = ServerSocketChannel.open();
		listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		listener.configureBlocking(false);
		listener.register(selector, SelectionKey.OP_ACCEPT);
		return new ProxyLoop(selector, listener, serverPort);
	}

	int port() {
		return this.listener.socket().getLocalPort();
	}

	void execute(Runnable task) {
		this.tasks.add(task);
		this.selector.wakeup();
	}

	void close() {
		this.closed = true;
		this.selector.wakeup();
	}

	void set(Traffic traffic) {
		this.traffic = traffic;
	}

	void reset() {
		this.conduits.forEach(Conduit::reset);
	}

	void halfOpen() {
		this.conduits.forEach(Conduit::loseServer);
	}

	int connections() {
		return this.conduits.size();
	}

	@Override
	public void run() {
		try (this.selector; this.listener) {
			while (!this.closed) {
				turn();
			}
		}
		catch (IOException ex) {
			log.warn("The proxy to {} has ended", this.server, ex);
		}
		finally {
			reset();
			runTasks();
		}
	}

	private void turn() throws IOException {
		runTasks();
		long wait = pump();
		if (wait > TimeUnit.MILLISECONDS.toNanos(1)) {
			this.selector.select(TimeUnit.NANOSECONDS.toMillis(wait));
		}
		else if (this.selector.selectNow() == 0) {
			LockSupport.parkNanos(Math.min(wait, FINE_WAIT_NANOS));
		}
		for (SelectionKey key : this.selector.selectedKeys()) {
			if (key.isValid() && key.isAcceptable()) {
				accept();
			}
			else if (key.attachment() instanceof Conduit conduit) {
				conduit.onSelected(this.traffic);
			}
		}
		this.selector.selectedKeys().clear();
	}

	/**
	 * Moves what is due.
	 * @return the nanoseconds until something is
	 */
	private long pump() {
		long wait = TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MILLIS);
		for (Conduit conduit : this.conduits) {
			wait = Math.min(wait, conduit.pump(this.traffic));
		}
		this.conduits.removeIf(Conduit::isClosed);
		return wait;
	}

	private void accept() throws IOException {
		SocketChannel client = this.listener.accept();
		if (client == null) {
			return;
		}
		if (this.conduits.size() >= MOST_CONNECTIONS) {
			client.close();
			return;
		}
		this.conduits.add(Conduit.open(client, this.server, this.selector, this.random.split()));
	}

	private void runTasks() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

}
