package dev.redlock.spring.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * One script call on its way, which turns whatever happens to it into a vote. It stands
 * in for Lettuce's own future, as one object fewer for each call.
 */
final class ScriptCommand extends LinkCommand<Void> {

	private final CompletableFuture<Vote> vote = new CompletableFuture<>();

	private final Answer answer;

	private final ServerLink link;

	private final int doubts;

	ScriptCommand(ServerLink link, Pulse pulse, CommandType type, CommandArgs<String, String> arguments) {
		this(link, pulse, type, arguments, new Answer());
	}

	private ScriptCommand(ServerLink link, Pulse pulse, CommandType type, CommandArgs<String, String> arguments,
			Answer answer) {
		super(pulse, type, answer, arguments);
		this.link = link;
		this.doubts = link.doubts();
		this.answer = answer;
	}

	CompletableFuture<Vote> vote() {
		return this.vote;
	}

	@Override
	public void complete() {
		super.complete();
		if (this.answer.hasError()) {
			String error = String.valueOf(this.answer.getError());
			this.link.refused(error);
			this.vote.complete(ServerErrors.fault(error));
		}
		else {
			Vote vote = this.answer.toVote();
			long serverMicros = ScriptReply.serverMicros(vote);
			if (serverMicros != 0) {
				this.link.toldTime(calledNanos(), serverMicros);
			}
			// Also where an answer before this one has told of the step.
			boolean doubtful = serverMicros != 0 && this.link.doubts() != this.doubts;
			this.vote.complete(doubtful ? ScriptReply.afterClockStep(serverMicros) : vote);
		}
	}

	@Override
	public boolean completeExceptionally(Throwable cause) {
		boolean completed = super.completeExceptionally(cause);
		this.vote.complete(LinkErrors.fault(cause));
		return completed;
	}

	@Override
	public void cancel() {
		super.cancel();
		this.vote.complete(new Faulted(Fault.UNAVAILABLE, "The connection was closed", true));
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

		Vote toVote() {
			return ScriptReply.vote(this.code, this.first, this.second, this.holder);
		}

	}

}
