package dev.redlock.spring.redis;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.netty.resolver.DefaultAddressResolverGroup;

/**
 * What all Lettuce clients of the nodes share, above all one I/O thread that serves the
 * lock alone. Everything else may come from the application, with its tracing and its
 * metrics.
 */
public final class NodeResources implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	private final IoThread ioThread;

	private final ClientResources resources;

	private final NettyLoop loop;

	private NodeResources(ClientResources.Builder builder) {
		this.ioThread = new IoThread();
		this.loop = this.ioThread.loop();
		this.resources = builder.eventLoopGroupProvider(this.ioThread).build();
	}

	/**
	 * Makes resources that share nothing.
	 * @return the resources, to be closed after the clients
	 */
	public static NodeResources create() {
		return new NodeResources(ClientResources.builder());
	}

	/**
	 * Makes resources that share all but the I/O thread with others, which go on when
	 * these are closed.
	 * @param shared the resources of the application
	 * @return the resources, to be closed after the clients
	 */
	public static NodeResources sharing(ClientResources shared) {
		// Said once more: a builder shuts down what it was not told. Latencies are
		// published by the resources that they are shared with.
		ClientResources.Builder builder = shared.mutate()
			.timer(shared.timer())
			.eventExecutorGroup(shared.eventExecutorGroup())
			.commandLatencyRecorder(shared.commandLatencyRecorder())
			.commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
		// Netty's own resolver does not block, and is what Lettuce takes by default.
		if (shared.addressResolverGroup() instanceof DefaultAddressResolverGroup) {
			builder.addressResolverGroup(new HelperThreadResolver(InetAddress::getAllByName));
		}
		return new NodeResources(builder);
	}

	/**
	 * The resources in the form that Lettuce knows.
	 * @return the resources
	 */
	public ClientResources clientResources() {
		return this.resources;
	}

	/**
	 * The event loop on the I/O thread.
	 * @return the loop, which ends with these resources
	 */
	public NettyLoop loop() {
		return this.loop;
	}

	/**
	 * Shuts down what belongs to these resources alone, without waiting for it.
	 */
	@Override
	public void close() {
		this.resources.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		this.ioThread.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
