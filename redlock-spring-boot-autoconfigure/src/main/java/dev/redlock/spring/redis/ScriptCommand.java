package dev.redlock.spring.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One script call on its way, which turns whatever happens to it into a vote. It stands
 * in for Lettuce's own future, as one object fewer for each call.
 */
final class ScriptCommand extends ServerCommand<Void> {

	private final CompletableFuture<Vote> vote;

	private final ServerConnection connection;

	private final int doubts;

	private final LoadedScripts scripts;

	private final LockScript script;

	private final ScriptArguments arguments;

	private final Answer answer;

	ScriptCommand(ServerConnection connection, LoadedScripts scripts, LockScript script, ScriptArguments arguments) {
		this(CommandType.EVALSHA, connection, scripts, script, arguments, new CompletableFuture<>());
	}

	private ScriptCommand(CommandType type, ServerConnection connection, LoadedScripts scripts, LockScript script,
			ScriptArguments arguments, CompletableFuture<Vote> vote) {
		super(connection.watchdog(), type, new Answer(), arguments);
		this.answer = (Answer) getOutput();
		this.connection = connection;
		this.doubts = connection.doubts();
		this.scripts = scripts;
		this.script = script;
		this.arguments = arguments;
		this.vote = vote;
	}

	CompletableFuture<Vote> vote() {
		return this.vote;
	}

	@Override
	public void encode(ByteBuf buffer) {
		boolean byText = getType() == CommandType.EVAL;
		this.arguments.write(buffer, byText ? this.scripts.byText(this.script) : this.scripts.byDigest(this.script));
	}

	@Override
	void answered() {
		if (this.answer.hasError()) {
			refused(String.valueOf(this.answer.getError()));
			return;
		}
		Vote answered = this.answer.toVote(this.script, this.arguments.fence());
		long serverMicros = ScriptReply.serverMicros(answered);
		if (serverMicros != 0) {
			this.connection.toldTime(sentNanos(), serverMicros);
		}
		// Also where an answer before this one has told of the step.
		boolean doubtful = serverMicros != 0 && this.connection.doubts() != this.doubts;
		this.vote.complete(doubtful ? ScriptReply.afterClockStep(serverMicros) : answered);
	}

	@Override
	void failed(Throwable cause) {
		this.vote.complete(ConnectionErrors.fault(cause));
	}

	private void refused(String error) {
		this.connection.refused(error);
		if (ServerErrors.isNoScript(error) && !this.script.bound()) {
			this.connection.send(new ScriptCommand(CommandType.EVAL, this.connection, this.scripts, this.script,
					this.arguments, this.vote));
		}
		else {
			this.vote.complete(ServerErrors.fault(error));
		}
	}

	/**
	 * Keeps the few numbers of an answer without boxing them.
	 */
	private static final class Answer extends CommandOutput<String, String, Void> {

		private int count;

		private long code;

		private long first;

		private long second;

		private @Nullable String holder;

		Answer() {
			super(StringCodec.UTF8, null);
		}

		@Override
		public void set(long number) {
			switch (this.count++) {
				case 0 -> this.code = number;
				case 1 -> this.first = number;
				case 2 -> this.second = number;
				default -> {
				}
			}
		}

		@Override
		public void set(@Nullable ByteBuffer bytes) {
			this.holder = (bytes != null) ? this.codec.decodeValue(bytes) : null;
		}

		Vote toVote(LockScript script, long fence) {
			if (this.count == 1) {
				return ScriptReply.granted(script, fence, this.code);
			}
			return ScriptReply.vote(this.code, this.first, this.second, this.holder);
		}

	}

}
