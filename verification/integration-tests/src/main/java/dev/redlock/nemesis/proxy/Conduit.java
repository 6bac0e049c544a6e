package dev.redlock.nemesis.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.SplittableRandom;

/**
 * One connection through the proxy: two sockets, and a pipe for each direction. Used by
 * the proxy's thread only.
 */
final class Conduit {

	private final SocketChannel client;

	private final SocketChannel server;

	private final Pipe toServer;

	private final Pipe toClient;

	private final SelectionKey clientKey;

	private final SelectionKey serverKey;

	private boolean serverLost;

	private Conduit(SocketChannel client, SocketChannel server, Selector selector, SplittableRandom random)
			throws IOException {
		this.client = client;
		this.server = server;
		for (SocketChannel channel : new SocketChannel[] { client, server }) {
			channel.configureBlocking(false);
			channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
		}
		this.clientKey = client.register(selector, 0, this);
		this.serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
		this.toServer = new Pipe(client, server, random.split());
		this.toClient = new Pipe(server, client, random.split());
	}

	static Conduit open(SocketChannel client, InetSocketAddress address, Selector selector, SplittableRandom random)
			throws IOException {
		SocketChannel server = SocketChannel.open();
		Conduit conduit = new Conduit(client, server, selector, random);
		try {
			server.connect(address);
		}
		catch (IOException ex) {
			conduit.reset();
		}
		return conduit;
	}

	void onSelected(Traffic traffic) {
		try {
			if (this.server.isConnectionPending()) {
				this.server.finishConnect();
			}
		}
		catch (IOException ex) {
			// Nobody listens there, and so nobody seems to listen here.
			reset();
			return;
		}
		this.toServer.read(flow(traffic, true), traffic);
		this.toClient.read(flow(traffic, false), traffic);
	}

	/**
	 * Moves what is due.
	 * @return the nanoseconds until something is
	 */
	long pump(Traffic traffic) {
		if (isClosed()) {
			return Long.MAX_VALUE;
		}
		long now = System.nanoTime();
		long wait = Math.min(this.toServer.write(flow(traffic, true), now),
				this.toClient.write(flow(traffic, false), now));
		if (this.toServer.hasEnded(flow(traffic, true))
				|| (!this.serverLost && this.toClient.hasEnded(flow(traffic, false)))) {
			close(this.client);
			close(this.server);
			return Long.MAX_VALUE;
		}
		interest(this.clientKey, this.toServer, this.toClient);
		if (!this.server.isConnectionPending()) {
			interest(this.serverKey, this.toClient, this.toServer);
		}
		return wait;
	}

	void loseServer() {
		this.serverLost = true;
		this.toServer.breakOff();
		this.toClient.breakOff();
		close(this.server);
	}

	void reset() {
		for (SocketChannel channel : new SocketChannel[] { this.client, this.server }) {
			try {
				channel.setOption(StandardSocketOptions.SO_LINGER, 0);
			}
			catch (IOException ex) {
				// It is closed already.
			}
			close(channel);
		}
	}

	boolean isClosed() {
		return !this.client.isOpen();
	}

	private Traffic.Flow flow(Traffic traffic, boolean towardsServer) {
		if (this.serverLost) {
			// Swallowed for ever; the end of the client's side is all that is noticed.
			return Traffic.Flow.PASS;
		}
		return towardsServer ? traffic.toServer() : traffic.toClient();
	}

	private static void interest(SelectionKey key, Pipe source, Pipe sink) {
		if (key.isValid()) {
			key.interestOps((source.wantsToRead() ? SelectionKey.OP_READ : 0)
					| (sink.wantsToWrite() ? SelectionKey.OP_WRITE : 0));
		}
	}

	private static void close(SocketChannel channel) {
		try {
			channel.close();
		}
		catch (IOException ex) {
			// There is nothing more to be done about a socket that cannot be closed.
		}
	}

}
