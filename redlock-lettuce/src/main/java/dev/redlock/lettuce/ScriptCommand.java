package dev.redlock.lettuce;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Vote;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A script call that was sent to one server. Its answer, or its failure, becomes a vote.
 * It takes the place of Lettuce's AsyncCommand and so saves an object for each call.
 */
final class ScriptCommand extends ServerCommand<Void> {

	private final CompletableFuture<Vote> vote;

	private final ServerConnection connection;

	private final int doubts;

	private final int checks;

	private final LoadedScripts scripts;

	private final ScriptCall call;

	private final ScriptArguments arguments;

	private final Answer answer;

	ScriptCommand(ServerConnection connection, LoadedScripts scripts, ScriptCall call, ScriptArguments arguments) {
		super(connection.watchdog(), CommandType.EVALSHA, new Answer(), arguments);
		this.answer = (Answer) getOutput();
		this.connection = connection;
		this.doubts = connection.doubts();
		this.checks = connection.checks();
		this.scripts = scripts;
		this.call = call;
		this.arguments = arguments;
		this.vote = new CompletableFuture<>();
	}

	/**
	 * Makes the same call with the whole script. What casts doubt on the first one casts
	 * doubt on this one.
	 */
	private ScriptCommand(ScriptCommand first) {
		super(first.connection.watchdog(), CommandType.EVAL, new Answer(), first.arguments);
		this.answer = (Answer) getOutput();
		this.connection = first.connection;
		this.doubts = first.doubts;
		this.checks = first.checks;
		this.scripts = first.scripts;
		this.call = first.call;
		this.arguments = first.arguments;
		this.vote = first.vote;
	}

	CompletableFuture<Vote> vote() {
		return this.vote;
	}

	/**
	 * Whether this is a release of a key of another call.
	 */
	boolean releases(ScriptCall other) {
		return this.call.script() == LockScript.RELEASE && !Collections.disjoint(this.call.keys(), other.keys());
	}

	@Override
	public void encode(ByteBuf buffer) {
		LockScript script = this.call.script();
		boolean byText = getType() == CommandType.EVAL;
		this.arguments.write(buffer, byText ? this.scripts.byText(script) : this.scripts.byDigest(script));
	}

	@Override
	void answered() {
		if (this.answer.hasError()) {
			refused(String.valueOf(this.answer.getError()));
			return;
		}
		this.vote.complete(this.connection.judge(this.answer.toVote(this.call), sentNanos(), this.doubts));
	}

	@Override
	void failed(Throwable cause) {
		this.vote.complete(ConnectionErrors.fault(cause));
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
			this.connection.send(new ScriptCommand(this));
		}
		else {
			this.vote.complete(ServerErrors.fault(error));
		}
	}

	/**
	 * Whether the node may still vote, as when this was sent, and no release was sent
	 * behind this. It would be undone.
	 */
	private boolean mayBeSentAgain() {
		return this.connection.checks() == this.checks && !this.connection.releases(this.call);
	}

	/**
	 * Holds the few numbers of an answer without boxing them.
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

		Vote toVote(ScriptCall call) {
			return ScriptReply.of(call, this.count, this.code, this.first, this.second, this.holder);
		}

	}

}
