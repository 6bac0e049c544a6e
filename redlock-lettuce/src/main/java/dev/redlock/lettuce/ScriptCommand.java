package dev.redlock.lettuce;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import dev.redlock.lettuce.ConnectionHealth.Sent;
import dev.redlock.spi.Vote;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A script call on one server. The answer or the failure of the command becomes a vote.
 * Lettuce's own commands would encode the call anew for each node and box the numbers of
 * the answer, which costs a sixth of the locks per second (decision 5).
 * <p>
 * Lettuce completes the command on the I/O thread of the connection, and the result is
 * handled on the event loop.
 */
final class ScriptCommand extends Command<String, String, Void> {

	private final CompletableFuture<Vote> vote;

	private final ServerConnection connection;

	private final int doubts;

	private final int checks;

	private final LoadedScripts scripts;

	private final ScriptCall call;

	private final ScriptArguments arguments;

	private final Answer answer;

	private final Sent sent;

	private boolean ended;

	ScriptCommand(ServerConnection connection, LoadedScripts scripts, ScriptCall call, ScriptArguments arguments) {
		this(CommandType.EVALSHA, connection, scripts, call, arguments, connection.doubts(), connection.checks(),
				new CompletableFuture<>());
	}

	private ScriptCommand(CommandType type, ServerConnection connection, LoadedScripts scripts, ScriptCall call,
			ScriptArguments arguments, int doubts, int checks, CompletableFuture<Vote> vote) {
		super(type, new Answer(), arguments);
		this.answer = (Answer) getOutput();
		this.connection = connection;
		this.doubts = doubts;
		this.checks = checks;
		this.scripts = scripts;
		this.call = call;
		this.arguments = arguments;
		this.vote = vote;
		this.sent = connection.sent(call);
	}

	CompletableFuture<Vote> vote() {
		return this.vote;
	}

	@Override
	public void encode(ByteBuf buffer) {
		LockScript script = this.call.script();
		boolean byText = getType() == CommandType.EVAL;
		this.arguments.write(buffer, byText ? this.scripts.byText(script) : this.scripts.byDigest(script));
	}

	@Override
	public void complete() {
		super.complete();
		end(null);
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		boolean completed = super.completeExceptionally(cause);
		end(cause);
		return completed;
	}

	@Override
	public void cancel() {
		super.cancel();
		end(ConnectionErrors.CLOSED);
	}

	private void end(@Nullable Throwable failure) {
		this.connection.onLoop(() -> {
			if (this.ended) {
				return;
			}
			this.ended = true;
			this.connection.ended(this.sent, failure);
			if (failure != null) {
				this.vote.complete(ConnectionErrors.fault(failure));
			}
			else {
				answered();
			}
		});
	}

	private void answered() {
		if (this.answer.hasError()) {
			refused(String.valueOf(this.answer.getError()));
			return;
		}
		if (this.answer.code == ScriptReply.RELEASED_SILENTLY) {
			this.connection.refused(ServerErrors.UNANNOUNCED);
		}
		this.connection.complete(this.vote, this.answer.toVote(), this.call.script(), this.sent.nanos(), this.doubts);
	}

	/**
	 * Sends the whole script if the server does not know it.
	 */
	private void refused(String error) {
		boolean forgotten = ServerErrors.isNoScript(error) && getType() == CommandType.EVALSHA;
		if (forgotten) {
			this.connection.forgot(this.scripts, error);
		}
		else {
			this.connection.refused(error);
		}
		if (forgotten && (!this.call.script().bound() || mayBeSentAgain())) {
			this.connection.send(withWholeScript());
		}
		else {
			this.vote.complete(ServerErrors.fault(error));
		}
	}

	/**
	 * Creates the same call with the whole script. Clock steps since this command was
	 * sent also count for the new command.
	 */
	private ScriptCommand withWholeScript() {
		return new ScriptCommand(CommandType.EVAL, this.connection, this.scripts, this.call, this.arguments,
				this.doubts, this.checks, this.vote);
	}

	/**
	 * Whether the call may be sent again, because the node may still vote, and no release
	 * was sent after the call.
	 */
	private boolean mayBeSentAgain() {
		return this.connection.checks() == this.checks && !this.connection.releases(this.call);
	}

	/**
	 * The output for an answer. The few numbers of an answer are stored without boxing.
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

		Vote toVote() {
			return ScriptReply.of(this.code, this.first, this.second, this.holder);
		}

	}

}
