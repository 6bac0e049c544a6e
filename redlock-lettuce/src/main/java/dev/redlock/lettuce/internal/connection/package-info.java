/**
 * One connection to one server, and the threads that serve it. {@code ServerConnection}
 * sends commands in order, so that each runs at most once, and {@code ConnectionHealth}
 * notices when it is dead. {@code NodeConnection} is what a node sees of the connections
 * to all its servers, with a {@code ServerReport} as the result of a check.
 * {@code ConnectionOptions} are the client options that the lock needs. {@code NettyLoop}
 * is the event loop. {@code NodeResources} owns its thread, {@code HelperThreadResolver}
 * owns those that resolve host names, and {@code HelperThreads} makes pools and runs
 * blocking tasks on them.
 * <p>
 * A connection never reconnects, and answers only calls that it does not send, because
 * the server is behind, the queue is full, or the scripts are not loaded. A change here
 * must keep the order of commands, and must not let a command run twice.
 */
@NullMarked
package dev.redlock.lettuce.internal.connection;

import org.jspecify.annotations.NullMarked;
