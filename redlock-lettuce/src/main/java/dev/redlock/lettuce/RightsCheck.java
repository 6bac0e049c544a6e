package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.lettuce.Right.Need;
import io.lettuce.core.RedisCommandExecutionException;

import org.springframework.data.redis.core.script.DigestUtils;

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
	private static final String SCRIPT = """
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

	/**
	 * A script that does nothing.
	 */
	private static final String NOTHING = "return {}";

	private static final String NOTHING_DIGEST = DigestUtils.sha1DigestAsHex(NOTHING);

	/**
	 * An id that no client has. With 0, versions before 7.0 kill all connections.
	 */
	private static final long NO_CLIENT = Long.MAX_VALUE;

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
	 * Returns a claim that changes nothing, because each node refuses a fence that is so
	 * far from its clock. An error shows that the node would refuse each claim.
	 */
	static ScriptCall claim(String prefix) {
		return new ScriptCall(LockScript.ACQUIRE, List.of(key(prefix)), "-", 1, 1);
	}

	/**
	 * Tries all commands that one connection can try.
	 * @return the errors of the rights that are missing
	 */
	CompletionStage<Map<Right, String>> ask(ServerConnection server) {
		Map<Right, String> missing = new EnumMap<>(Right.class);
		CompletableFuture<List<String>> inScript = refusal(server.eval(SCRIPT, List.of(), commands()), Right.EVAL,
				missing, List.of());
		CompletableFuture<Map<String, String>> info = refusal(server.info(), Right.INFO, missing, Map.of());
		return CompletableFuture
			.allOf(inScript, info, refusal(server.load(NOTHING), Right.SCRIPT_LOAD, missing),
					refusal(server.evalsha(NOTHING_DIGEST, List.of(), List.of()), Right.EVALSHA, missing),
					refusal(server.clientId(), Right.CLIENT_ID, missing),
					refusal(server.kill(NO_CLIENT), Right.CLIENT_KILL, missing),
					refusal(server.config(ServerFacts.FSYNC_SETTINGS), Right.CONFIG_GET, missing))
			.thenApply((done) -> {
				missing.putAll(missing(inScript.join()));
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
	 * @return the errors of the rights that are missing
	 * @throws UnfitServerException if the server takes no writes at all
	 * @throws RedisCommandExecutionException if the server refuses a command for another
	 * reason
	 */
	Map<Right, String> missing(List<String> errors) {
		errors.stream().filter(ServerErrors::refusesWrites).findFirst().ifPresent((error) -> {
			throw UnfitServerException.refusingWrites(ServerErrors.fault(error).detail(),
					ServerErrors.isOutOfMemory(error));
		});
		Map<Right, String> missing = new EnumMap<>(Right.class);
		for (int i = 0; i < errors.size(); i++) {
			Trial trial = this.trials.get(i);
			String error = errors.get(i);
			Right right = ServerErrors.isNoPermissionForTarget(error) ? trial.target() : trial.right();
			if (!note(right, error, missing) && ServerErrors.isUncoded(error)) {
				throw new RedisCommandExecutionException(error);
			}
		}
		return missing;
	}

	/**
	 * Notes a right if an error says that it is missing. Any error says that of a command
	 * that locks can do without. A server that may not load a script does not know it,
	 * which is no failure.
	 * @return whether the check may go on; any other error is a failure of all of it
	 */
	static boolean note(Right right, String error, Map<Right, String> missing) {
		if (ServerErrors.isUndeclaredKey(error)) {
			throw UnfitServerException
				.because("It refuses keys that a script does not declare: " + ServerErrors.withoutArguments(error)
						+ ". So the commands of the lock cannot be tried in advance. "
						+ "Point the instance at a Redis or Valkey server.");
		}
		boolean says = ServerErrors.isNoPermission(error) || ServerErrors.isUnknownCommand(error)
				|| (right.need() != Need.LOCKS && ServerErrors.isUncoded(error));
		if (says) {
			missing.putIfAbsent(right, error);
		}
		return says || ServerErrors.isNoScript(error);
	}

	MissingRights of(Map<Right, String> missing) {
		return new MissingRights(missing, this.prefix, this.sharded);
	}

	private List<Trial> trials() {
		String lock = channel(this.prefix);
		String channel = lock;
		List<Trial> all = new ArrayList<>();
		all.add(new Trial(Right.TIME, Right.TIME, "TIME"));
		all.add(new Trial(Right.INFO, Right.INFO, "INFO\nserver"));
		// The keys do not exist, so nothing is read or written. A full server refuses the
		// SET only if no other write came before it.
		readAndWrite(all, Right.LOCK_KEYS, lock);
		all.add(new Trial(Right.DEL, Right.LOCK_KEYS, "DEL\n" + lock));
		all.add(new Trial(Right.PTTL, Right.LOCK_KEYS, "PTTL\n" + lock));
		all.add(new Trial(Right.PEXPIRE, Right.LOCK_KEYS, "PEXPIRE\n" + lock + "\n1"));
		readAndWrite(all, Right.COUNTER_KEYS, CounterKeys.of(key(this.prefix)));
		readAndWrite(all, Right.TAGGED_COUNTER_KEYS, CounterKeys.of(lock));
		all.add(new Trial(Right.NUMSUB, Right.CHANNELS, words(Right.NUMSUB) + "\n" + channel));
		all.add(new Trial(Right.PUBLISH, Right.CHANNELS, words(Right.PUBLISH) + "\n" + channel + "\n-"));
		return all;
	}

	private static void readAndWrite(List<Trial> all, Right keys, String key) {
		all.add(new Trial(Right.GET, keys, "GET\n" + key));
		all.add(new Trial(Right.SET, keys, "SET\n" + key + "\n-\nXX\nPX\n1"));
	}

	/**
	 * Returns a lock key that is tried together with its counter. It is never set.
	 */
	private static String key(String prefix) {
		return prefix + "redlock-rights";
	}

	private String words(Right right) {
		return right.command(this.sharded).replace(' ', '\n');
	}

	private static CompletableFuture<?> refusal(CompletableFuture<?> asked, Right right, Map<Right, String> missing) {
		return refusal(asked.thenApply(String::valueOf), right, missing, "");
	}

	private static <T> CompletableFuture<T> refusal(CompletableFuture<T> asked, Right right, Map<Right, String> missing,
			T otherwise) {
		return asked.exceptionallyCompose((failure) -> note(right, ConnectionErrors.describe(failure), missing)
				? CompletableFuture.completedFuture(otherwise) : CompletableFuture.failedFuture(failure));
	}

	/**
	 * A command to try.
	 *
	 * @param right the right to the command
	 * @param target the right to its key or channel
	 * @param command the command, one word in each line
	 */
	private record Trial(Right right, Right target, String command) {

	}

}
