package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;

/**
 * What all Lettuce clients of the nodes share, above all one I/O thread that serves the
 * lock alone. Everything else may come from the application, with its tracing and its
 * metrics.
 */
public final class NodeResources implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	private final IoThread ioThread;

	private final ClientResources resources;

	private NodeResources(ClientResources.Builder builder) {
		this.ioThread = new IoThread();
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
		// Said once more, since only what a builder was told is not shut down with what
		// it
		// builds. Latencies are published by the resources that they are shared with.
		return new NodeResources(shared.mutate()
			.timer(shared.timer())
			.eventExecutorGroup(shared.eventExecutorGroup())
			.commandLatencyRecorder(shared.commandLatencyRecorder())
			.commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled()));
	}

	/**
	 * The resources in the form that Lettuce knows.
	 * @return the resources
	 */
	public ClientResources clientResources() {
		return this.resources;
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
