package dev.redlock.nemesis.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

import dev.redlock.nemesis.proxy.Traffic.Flow;

/**
 * One direction of a connection. What it holds is bounded: once it is full, the source is
 * not read any more, and its own system lets the sender wait.
 */
final class Pipe {

	static final int MOST_HELD_BYTES = 64 * 1024;

	private static final int READ_BYTES = 16 * 1024;

	private final SocketChannel source;

	private final SocketChannel sink;

	private final SplittableRandom random;

	private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES);

	private final Deque<Chunk> chunks = new ArrayDeque<>();

	private int heldBytes;

	private long lastDueNanos = System.nanoTime();

	private boolean ended;

	private boolean broken;

	private boolean sinkIsFull;

	Pipe(SocketChannel source, SocketChannel sink, SplittableRandom random) {
		this.source = source;
		this.sink = sink;
		this.random = random;
	}

	/**
	 * Takes what has arrived.
	 */
	void read(Flow flow, Traffic traffic) {
		if (!this.source.isConnected()) {
			return;
		}
		while (wantsToRead()) {
			int count = readOnce();
			if (count < 0) {
				this.ended = true;
				return;
			}
			if (count == 0) {
				return;
			}
			keep(flow, traffic);
		}
	}

	/**
	 * Hands on what is due.
	 * @return the nanoseconds until something is
	 */
	long write(Flow flow, long nowNanos) {
		this.sinkIsFull = false;
		if (flow == Flow.DROP && !this.chunks.isEmpty()) {
			breakOff();
		}
		if (flow != Flow.PASS || !this.sink.isConnected()) {
			return Long.MAX_VALUE;
		}
		for (Chunk chunk = this.chunks.peek(); chunk != null; chunk = this.chunks.peek()) {
			long wait = chunk.dueNanos - nowNanos;
			if (wait > 0) {
				return wait;
			}
			if (!write(chunk)) {
				return Long.MAX_VALUE;
			}
		}
		return Long.MAX_VALUE;
	}

	/**
	 * Loses what it holds and whatever comes.
	 */
	void breakOff() {
		this.broken = true;
		this.chunks.clear();
		this.heldBytes = 0;
	}

	/**
	 * Whether the source has ended and everything before its end has passed.
	 */
	boolean hasEnded(Flow flow) {
		return this.ended && this.chunks.isEmpty() && flow == Flow.PASS;
	}

	boolean wantsToRead() {
		return !this.ended && this.heldBytes < MOST_HELD_BYTES;
	}

	boolean wantsToWrite() {
		return this.sinkIsFull;
	}

	private int readOnce() {
		try {
			return this.source.read(this.buffer.clear());
		}
		catch (IOException ex) {
			// A reset ends the stream too. What came before it may still be under way.
			return -1;
		}
	}

	private void keep(Flow flow, Traffic traffic) {
		if (this.broken || flow == Flow.DROP) {
			breakOff();
			return;
		}
		this.buffer.flip();
		ByteBuffer bytes = ByteBuffer.allocate(this.buffer.remaining()).put(this.buffer).flip();
		long due = System.nanoTime() + traffic.delay().toNanos() + jitter(traffic);
		this.lastDueNanos = (due - this.lastDueNanos > 0) ? due : this.lastDueNanos;
		this.chunks.add(new Chunk(this.lastDueNanos, bytes));
		this.heldBytes += bytes.remaining();
	}

	private long jitter(Traffic traffic) {
		return this.random.nextLong(traffic.jitter().toNanos() + 1);
	}

	/**
	 * Writes one chunk.
	 * @return whether there may be more to write
	 */
	private boolean write(Chunk chunk) {
		try {
			this.heldBytes -= this.sink.write(chunk.bytes);
		}
		catch (IOException ex) {
			breakOff();
			return false;
		}
		if (chunk.bytes.hasRemaining()) {
			this.sinkIsFull = true;
			return false;
		}
		this.chunks.remove();
		return true;
	}

	/**
	 * Bytes that pass together.
	 *
	 * @param dueNanos when they arrive
	 * @param bytes what is left of them
	 */
	private record Chunk(long dueNanos, ByteBuffer bytes) {

	}

}
