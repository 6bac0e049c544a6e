package dev.redlock.spring.redis;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.jspecify.annotations.Nullable;

/**
 * Something that is asked through a {@link ServerLink}.
 *
 * @param <T> what the server answers
 */
abstract class LinkCommand<T> extends Command<String, String, T> {

	/**
	 * The command that was called before this one, while both wait to be written.
	 */
	private @Nullable LinkCommand<?> older;

	private int waiting;

	LinkCommand(ProtocolKeyword type, CommandOutput<String, String, T> output,
			@Nullable CommandArgs<String, String> arguments) {
		super(type, output, arguments);
	}

	/**
	 * Takes its place behind another command.
	 * @return how many wait now
	 */
	int calledAfter(@Nullable LinkCommand<?> older) {
		this.older = older;
		this.waiting = (older != null) ? older.waiting + 1 : 1;
		return this.waiting;
	}

	/**
	 * The command that was called before this one, which is forgotten.
	 */
	@Nullable LinkCommand<?> takeOlder() {
		LinkCommand<?> taken = this.older;
		this.older = null;
		return taken;
	}

}
