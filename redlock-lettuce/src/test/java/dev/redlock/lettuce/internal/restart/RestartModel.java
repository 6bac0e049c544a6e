package dev.redlock.lettuce.internal.restart;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.redlock.lettuce.internal.script.FenceModel;
import org.jspecify.annotations.Nullable;

/**
 * The model {@code restarts.als}, and Alloy, which looks for histories in it.
 * <p>
 * The archive of Alloy contains old classes of other libraries, such as SLF4J. So it is
 * not on the class path, but has a class loader of its own. That stays open, because
 * native solvers are cleaned up when the JVM ends.
 */
public final class RestartModel {

	/** The build copies it there. */
	static final Path ALLOY = Path.of("target", "alloy", "org.alloytools.alloy.dist.jar");

	private static final Pattern STEPS = Pattern.compile("one sig ([A-Z, ]+) extends Step");

	private static final Pattern PAIR = Pattern.compile("Moment\\$(\\d+)->(\\w+)\\$(\\d+)");

	private final ClassLoader loader;

	private final Object world;

	private final Object options;

	/**
	 * Reads the model.
	 */
	RestartModel() throws ReflectiveOperationException {
		// The archive brings a logger that writes each step to the console.
		System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
		try {
			this.loader = new URLClassLoader(new URL[] { ALLOY.toUri().toURL() }, ClassLoader.getPlatformClassLoader());
			Path file = Path.of(Objects.requireNonNull(RestartModel.class.getResource("/restarts.als")).toURI());
			this.world = callStatic("edu.mit.csail.sdg.parser.CompUtil", "parseEverything_fromFile", nothing(), null,
					file.toString());
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
		this.options = type("edu.mit.csail.sdg.translator.A4Options").getConstructor().newInstance();
		set("noOverflow", true);
		set("symmetry", 200);
		set("solver", solver());
	}

	/**
	 * Returns the text of the model.
	 */
	static String text() {
		return FenceModel.text("/restarts.als");
	}

	/**
	 * Returns the names of all steps.
	 */
	public static List<String> steps() {
		return STEPS.matcher(text())
			.results()
			.map((found) -> List.of(found.group(1).split(", ")))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Returns the names of all commands.
	 */
	List<String> commands() throws ReflectiveOperationException {
		List<String> names = new ArrayList<>();
		for (Object command : all()) {
			names.add(name(command));
		}
		return names;
	}

	/**
	 * Runs a command.
	 * @return a history, or null if there is none in its scope; for a check, the history
	 * breaks a promise
	 */
	@Nullable History run(String name) throws ReflectiveOperationException {
		for (Object command : all()) {
			if (name(command).equals(name)) {
				Object solution = callStatic("edu.mit.csail.sdg.translator.TranslateAlloyToKodkod", "execute_command",
						nothing(), call(this.world, "getAllReachableSigs"), command, this.options);
				return (boolean) call(solution, "satisfiable") ? history(solution) : null;
			}
		}
		throw new IllegalArgumentException("There is no command " + name);
	}

	private History history(Object solution) throws ReflectiveOperationException {
		List<MatchResult> on = pairs(solution, "on");
		List<MatchResult> of = pairs(solution, "of");
		List<MatchResult> by = pairs(solution, "by");
		List<MatchResult> loads = pairs(solution, "loads");
		List<Event> events = new ArrayList<>();
		for (MatchResult step : pairs(solution, "step")) {
			String moment = step.group(1);
			if (!step.group(2).equals("NOTHING")) {
				events.add(new Event(step.group(2), numbers(on, moment), numbers(of, moment), numbers(by, moment),
						numbers(loads, moment)));
			}
		}
		return new History(events);
	}

	private List<MatchResult> pairs(Object solution, String relation) throws ReflectiveOperationException {
		Object parsed = call(this.world, "parseOneExpressionFromString", relation);
		return PAIR.matcher(evaluate(solution, parsed).toString()).results().toList();
	}

	private static Object evaluate(Object solution, Object expression) throws ReflectiveOperationException {
		for (Method method : solution.getClass().getMethods()) {
			if (method.getName().equals("eval") && method.getParameterCount() == 1
					&& method.getParameterTypes()[0].getSimpleName().equals("Expr")) {
				return method.invoke(solution, expression);
			}
		}
		throw new NoSuchMethodException("eval");
	}

	private static List<Integer> numbers(List<MatchResult> pairs, String moment) {
		return pairs.stream()
			.filter((pair) -> pair.group(1).equals(moment))
			.map((pair) -> Integer.parseInt(pair.group(3)) + 1)
			.sorted()
			.toList();
	}

	private List<?> all() throws ReflectiveOperationException {
		return new ArrayList<>((Collection<?>) call(this.world, "getAllCommands"));
	}

	private static String name(Object command) throws ReflectiveOperationException {
		return String.valueOf(command.getClass().getField("label").get(command));
	}

	/**
	 * A native solver, or where there is none for this platform, the one in Java.
	 */
	private Object solver() throws ReflectiveOperationException {
		for (String id : List.of("minisat", "sat4j")) {
			Object found = callStatic("kodkod.engine.satlab.SATFactory", "find", id);
			if (((Optional<?>) found).isPresent()) {
				return ((Optional<?>) found).get();
			}
		}
		throw new IllegalStateException("Alloy has no solver");
	}

	private Object nothing() throws ReflectiveOperationException {
		return type("edu.mit.csail.sdg.alloy4.A4Reporter").getField("NOP").get(null);
	}

	private void set(String option, Object value) throws ReflectiveOperationException {
		this.options.getClass().getField(option).set(this.options, value);
	}

	private Class<?> type(String name) throws ReflectiveOperationException {
		return Class.forName(name, true, this.loader);
	}

	private Object callStatic(String type, String name, @Nullable Object... arguments)
			throws ReflectiveOperationException {
		return call(type(type), null, name, arguments);
	}

	private static Object call(Object target, String name, @Nullable Object... arguments)
			throws ReflectiveOperationException {
		return call(target.getClass(), target, name, arguments);
	}

	private static Object call(Class<?> type, @Nullable Object target, String name, @Nullable Object... arguments)
			throws ReflectiveOperationException {
		Method method = Arrays.stream(type.getMethods())
			.filter((candidate) -> candidate.getName().equals(name)
					&& candidate.getParameterCount() == arguments.length)
			.findFirst()
			.orElseThrow(() -> new NoSuchMethodException(type + "." + name));
		return method.invoke(target, arguments);
	}

	/**
	 * What happened, one step after the other.
	 *
	 * @param events the steps
	 */
	record History(List<Event> events) {

		public List<String> steps() {
			return this.events.stream().map(Event::step).toList();
		}

	}

	/**
	 * One step.
	 *
	 * @param step its name in the model
	 * @param nodes the nodes that it concerns
	 * @param attempts the attempt that acquires or extends
	 * @param clients the client that checks
	 * @param loads the moments, of which the data are with which a server restarts
	 */
	record Event(String step, List<Integer> nodes, List<Integer> attempts, List<Integer> clients, List<Integer> loads) {
	}

}
