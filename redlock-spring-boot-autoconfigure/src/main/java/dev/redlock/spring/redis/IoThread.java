package dev.redlock.spring.redis;

import java.util.concurrent.TimeUnit;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.ThreadFactoryProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;

/**
 * One I/O thread for the connections to all nodes. Where a single thread writes, whatever
 * was called before it comes to write leaves in one flush, and what the answers of
 * several nodes cause leaves together.
 */
final class IoThread implements EventLoopGroupProvider {

	// Also a thread that Netty's caches are quick on.
	private static final ThreadFactoryProvider THREADS = (pool) -> new DefaultThreadFactory("redlock-io", true);

	private final EventLoopGroupProvider groups = new DefaultEventLoopGroupProvider(1, THREADS);

	private final EventLoopGroup group = this.groups.allocate(Transports.eventLoopGroupClass());

	/**
	 * The loop on this thread.
	 */
	NettyLoop loop() {
		return new NettyLoop(this.group.next());
	}

	@Override
	public <T extends EventLoopGroup> T allocate(Class<T> type) {
		return this.groups.allocate(type);
	}

	@Override
	public int threadPoolSize() {
		return this.groups.threadPoolSize();
	}

	@Override
	public Future<Boolean> release(EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
		return this.groups.release(released, quietPeriod, timeout, unit);
	}

	@Override
	public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
		return this.groups.shutdown(quietPeriod, timeout, unit);
	}

}
