package dev.redlock.lettuce;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Counts how often connections are flushed with scripts to run. What else goes over
 * connections, such as signs of life, does not count.
 */
final class FlushCount implements NettyCustomizer {

	private final AtomicInteger flushes = new AtomicInteger();

	@Override
	public void afterChannelInitialized(Channel channel) {
		channel.pipeline().addFirst(new Counter());
	}

	int flushes() {
		return this.flushes.get();
	}

	private final class Counter extends ChannelOutboundHandlerAdapter {

		private boolean script;

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			this.script |= ((ByteBuf) message).toString(StandardCharsets.US_ASCII).contains("EVALSHA");
			context.write(message, promise);
		}

		@Override
		public void flush(ChannelHandlerContext context) {
			if (this.script) {
				this.script = false;
				FlushCount.this.flushes.incrementAndGet();
			}
			context.flush();
		}

	}

}
