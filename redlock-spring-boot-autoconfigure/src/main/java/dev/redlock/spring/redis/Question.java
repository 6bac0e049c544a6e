package dev.redlock.spring.redis;

import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * Something that the nodes want to know for themselves, and not for a lock.
 *
 * @param <T> what the server answers
 */
final class Question<T> extends LinkCommand<T> {

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	Question(Pulse pulse, CommandType type, CommandOutput<String, String, T> output, String... arguments) {
		super(pulse, type, output, new CommandArgs<>(StringCodec.UTF8));
		for (String argument : arguments) {
			getArgs().add(argument);
		}
	}

	/**
	 * Completes with the answer, or as {@link RedisCommandExecutionException} where the
	 * answer is an error.
	 */
	CompletableFuture<T> answer() {
		return this.answer;
	}

	@Override
	public void complete() {
		super.complete();
		if (getOutput().hasError()) {
			this.answer.completeExceptionally(new RedisCommandExecutionException(getOutput().getError()));
		}
		else {
			this.answer.complete(getOutput().get());
		}
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		boolean completed = super.completeExceptionally(cause);
		this.answer.completeExceptionally(cause);
		return completed;
	}

	@Override
	public void cancel() {
		super.cancel();
		this.answer.completeExceptionally(new RedisException("The connection was closed"));
	}

}
