package dev.redlock.lettuce;

import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * A command that a node needs for itself and not for a lock operation.
 *
 * @param <T> the type of the answer
 */
final class ServerQuery<T> extends ServerCommand<T> {

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	ServerQuery(ConnectionWatchdog watchdog, CommandType type, CommandOutput<String, String, T> output,
			String... arguments) {
		super(watchdog, type, output, new CommandArgs<>(StringCodec.UTF8));
		for (String argument : arguments) {
			getArgs().add(argument);
		}
	}

	/**
	 * Completes on the loop with the answer, or with a
	 * {@link RedisCommandExecutionException} if the answer is an error.
	 */
	CompletableFuture<T> answer() {
		return this.answer;
	}

	@Override
	void answered() {
		if (getOutput().hasError()) {
			this.answer.completeExceptionally(new RedisCommandExecutionException(getOutput().getError()));
		}
		else {
			this.answer.complete(getOutput().get());
		}
	}

	@Override
	void failed(Throwable cause) {
		this.answer.completeExceptionally(cause);
	}

}
