package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;

/**
 * Tries each command of the lock in a form that changes nothing, to find missing rights
 * early. ACL DRYRUN would find them too, but needs a right of its own.
 */
final class RightsCheck {

	/**
	 * Calls each command in its arguments and answers with one error for each, empty if
	 * there is none. An argument has one word of the command in each line. The keys are
	 * not declared as such: the server would then refuse the whole script because of one
	 * key. A cluster checks the right before the slot.
	 */
	static final String SCRIPT = """
			local errors = {}
			for i = 1, #ARGV do
			  local words = {}
			  for word in string.gmatch(ARGV[i], '[^\\n]+') do
			    words[#words + 1] = word
			  end
			  local answer = redis.pcall(unpack(words))
			  errors[i] = type(answer) == 'table' and answer['err'] or ''
			end
			return errors
			""";

	private static final StringCodec UTF8 = StringCodec.UTF8;

	private static final String NOTHING = "return 1";

	/**
	 * The SHA-1 digest of that script.
	 */
	private static final String NOTHING_DIGEST = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

	/**
	 * An id that no client has. With 0, versions before 7.0 kill all connections.
	 */
	private static final String NO_CLIENT = Long.toString(Long.MAX_VALUE);

	private final String prefix;

	private final boolean sharded;

	private final List<Trial> trials;

	RightsCheck(String prefix, boolean sharded) {
		this.prefix = prefix;
		this.sharded = sharded;
		this.trials = trials();
	}

	/**
	 * Returns the channel, and the key, that the commands are tried on. The key is never
	 * set.
	 */
	static String channel(String prefix) {
		return Marker.key(prefix) + ":rights";
	}

	/**
	 * Tries all commands that one connection can try, and answers with the rights that
	 * are missing.
	 */
	CompletionStage<Set<Right>> ask(ServerConnection server) {
		Set<Right> missing = EnumSet.noneOf(Right.class);
		CompletableFuture<List<String>> inScript = refusal(server.eval(SCRIPT, List.of(), commands()), Right.EVAL,
				missing, List.of());
		CompletableFuture<String> info = refusal(server.ask(CommandType.INFO, new StatusOutput<>(UTF8), "persistence"),
				Right.INFO, missing, "");
		return CompletableFuture
			.allOf(inScript, info, call(server, Right.SCRIPT_LOAD, missing, CommandType.SCRIPT, "LOAD", NOTHING),
					call(server, Right.EVALSHA, missing, CommandType.EVALSHA, NOTHING_DIGEST, "0"),
					call(server, Right.CLIENT_ID, missing, CommandType.CLIENT, "ID"),
					call(server, Right.CLIENT_KILL, missing, CommandType.CLIENT, "KILL", "ID", NO_CLIENT),
					call(server, Right.CONFIG_GET, missing, CommandType.CONFIG, "GET", "appendfsync"))
			.thenApply((done) -> {
				missing.addAll(missing(inScript.join()));
				if (!ServerFacts.isAppendOnly(info.join())) {
					missing.remove(Right.CONFIG_GET);
				}
				return missing;
			});
	}

	/**
	 * Returns the commands that scripts call, as arguments of {@link #SCRIPT}.
	 */
	List<String> commands() {
		return this.trials.stream().map(Trial::command).toList();
	}

	/**
	 * Reads the answer of the script.
	 * @throws UnfitServerException if the server takes no writes at all
	 */
	List<Right> missing(List<String> errors) {
		errors.stream().filter(ServerErrors::refusesWrites).findFirst().ifPresent((error) -> {
			throw UnfitServerException.refusingWrites(ServerErrors.fault(error).detail());
		});
		return IntStream.range(0, errors.size())
			.filter((i) -> ServerErrors.isNoPermission(errors.get(i)))
			.mapToObj((i) -> this.trials.get(i).missing(errors.get(i)))
			.toList();
	}

	MissingRights of(Collection<Right> missing) {
		return MissingRights.of(missing, this.prefix, this.sharded);
	}

	private List<Trial> trials() {
		String lock = channel(this.prefix);
		String channel = lock;
		List<Trial> all = new ArrayList<>();
		all.add(new Trial(Right.TIME, Right.TIME, "TIME"));
		// The keys do not exist, so nothing is read or written. A full server refuses the
		// SET only if no other write came before it.
		readAndWrite(all, Right.LOCK_KEYS, lock);
		all.add(new Trial(Right.DEL, Right.LOCK_KEYS, "DEL\n" + lock));
		all.add(new Trial(Right.PTTL, Right.LOCK_KEYS, "PTTL\n" + lock));
		all.add(new Trial(Right.PEXPIRE, Right.LOCK_KEYS, "PEXPIRE\n" + lock + "\n1"));
		readAndWrite(all, Right.COUNTER_KEYS, CounterKeys.of(this.prefix + "redlock-rights"));
		readAndWrite(all, Right.TAGGED_COUNTER_KEYS, CounterKeys.of(lock));
		all.add(new Trial(Right.NUMSUB, Right.CHANNELS, words(Right.NUMSUB) + "\n" + channel));
		all.add(new Trial(Right.PUBLISH, Right.CHANNELS, words(Right.PUBLISH) + "\n" + channel + "\n-"));
		return all;
	}

	private static void readAndWrite(List<Trial> all, Right keys, String key) {
		all.add(new Trial(Right.GET, keys, "GET\n" + key));
		all.add(new Trial(Right.SET, keys, "SET\n" + key + "\n-\nXX\nPX\n1"));
	}

	private String words(Right right) {
		return right.command(this.sharded).replace(' ', '\n');
	}

	private static CompletableFuture<?> call(ServerConnection server, Right right, Set<Right> missing, CommandType type,
			String... arguments) {
		return refusal(server.ask(type, new NestedMultiOutput<>(UTF8), arguments), right, missing, List.of());
	}

	/**
	 * Notes the right if it is missing. Any other failure comes up again in a later
	 * command, which reports it.
	 */
	private static <T> CompletableFuture<T> refusal(CompletableFuture<T> asked, Right right, Set<Right> missing,
			T otherwise) {
		return asked.exceptionally((ex) -> {
			if (ServerErrors.isNoPermission(ConnectionErrors.describe(ex))) {
				missing.add(right);
			}
			return otherwise;
		});
	}

	/**
	 * A command to try.
	 *
	 * @param right the right to the command
	 * @param target the right to its key or channel
	 * @param command the command, one word in each line
	 */
	private record Trial(Right right, Right target, String command) {

		Right missing(String error) {
			return ServerErrors.isAboutCommand(error) ? this.right : this.target;
		}

	}

}
