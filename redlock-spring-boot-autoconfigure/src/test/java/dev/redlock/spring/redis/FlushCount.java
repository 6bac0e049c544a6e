package dev.redlock.spring.redis;

import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;

/**
 * Counts how often connections are flushed, and how often something was read from them.
 */
final class FlushCount implements NettyCustomizer {

	private final AtomicInteger flushes = new AtomicInteger();

	private final AtomicInteger reads = new AtomicInteger();

	@Override
	public void afterChannelInitialized(Channel channel) {
		channel.pipeline().addFirst(new Counter());
	}

	int flushes() {
		return this.flushes.get();
	}

	int reads() {
		return this.reads.get();
	}

	private final class Counter extends ChannelDuplexHandler {

		@Override
		public void flush(ChannelHandlerContext context) {
			FlushCount.this.flushes.incrementAndGet();
			context.flush();
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext context) {
			FlushCount.this.reads.incrementAndGet();
			context.fireChannelReadComplete();
		}

	}

}
