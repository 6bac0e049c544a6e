package dev.redlock.lettuce.internal.script;

import java.util.concurrent.CompletableFuture;

import dev.redlock.lettuce.internal.facts.ConnectionErrors;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * The command for a script call on one server. Lettuce's own commands encode each call
 * once per node, which costs a sixth of the throughput (ADR 5).
 */
public final class ScriptCommand extends Command<String, String, Void> {

	private final CompletableFuture<ScriptReply> reply = new CompletableFuture<>();

	private final byte[] start;

	private final ScriptArguments arguments;

	public ScriptCommand(byte[] start, ScriptArguments arguments) {
		super(CommandType.EVALSHA, new ScriptReply(arguments.call()), arguments);
		this.start = start;
		this.arguments = arguments;
	}

	/**
	 * If the server answers with an error, the future fails with a
	 * {@link RedisCommandExecutionException}. If the answer cannot be read, the future
	 * fails with another exception, because the connection must end.
	 */
	public CompletableFuture<ScriptReply> reply() {
		return this.reply;
	}

	@Override
	public void encode(ByteBuf buffer) {
		this.arguments.write(buffer, this.start);
	}

	@Override
	public void complete() {
		super.complete();
		ScriptReply answer = (ScriptReply) getOutput();
		if (answer.hasError()) {
			this.reply.completeExceptionally(new RedisCommandExecutionException(answer.getError()));
		}
		else if (!answer.isReadable()) {
			this.reply.completeExceptionally(new RedisException(answer.described()));
		}
		else {
			this.reply.complete(answer);
		}
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		this.reply.completeExceptionally(cause);
		return super.completeExceptionally(cause);
	}

	@Override
	public void cancel() {
		super.cancel();
		this.reply.completeExceptionally(ConnectionErrors.CLOSED);
	}

}
