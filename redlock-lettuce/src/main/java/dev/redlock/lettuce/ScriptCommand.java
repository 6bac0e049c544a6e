package dev.redlock.lettuce;

import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * The command for a script call on one server. Lettuce's own commands encode each call
 * once per node, which costs a sixth of the throughput (ADR 5).
 */
final class ScriptCommand extends Command<String, String, Void> {

	private final CompletableFuture<ScriptReply> reply = new CompletableFuture<>();

	private final ScriptReply output;

	private final byte[] start;

	private final ScriptArguments arguments;

	ScriptCommand(byte[] start, ScriptArguments arguments) {
		super(CommandType.EVALSHA, new ScriptReply(), arguments);
		this.output = (ScriptReply) getOutput();
		this.start = start;
		this.arguments = arguments;
	}

	/**
	 * If the server answers with an error, the future fails with a
	 * {@link RedisCommandExecutionException}.
	 */
	CompletableFuture<ScriptReply> reply() {
		return this.reply;
	}

	@Override
	public void encode(ByteBuf buffer) {
		this.arguments.write(buffer, this.start);
	}

	@Override
	public void complete() {
		super.complete();
		if (this.output.hasError()) {
			this.reply.completeExceptionally(new RedisCommandExecutionException(this.output.getError()));
		}
		else {
			this.reply.complete(this.output);
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
