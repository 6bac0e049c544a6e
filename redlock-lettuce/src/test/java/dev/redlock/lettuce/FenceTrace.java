package dev.redlock.lettuce;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import com.microsoft.z3.FuncDecl;
import com.microsoft.z3.Model;
import com.microsoft.z3.Sort;

/**
 * One step of the {@link FenceModel} that a solver found, for people: the state of all
 * nodes and attempts before and after it. Fences are numbered in their order.
 */
final class FenceTrace {

	private final Context z3;

	private final Model model;

	FenceTrace(Context z3, Model model) {
		this.z3 = z3;
		this.model = model;
	}

	String of(FenceModel fences, String step) {
		String arguments = fences.parameters(step)
			.keySet()
			.stream()
			.map((name) -> " " + name + "=" + name(value("the-" + name)))
			.collect(Collectors.joining());
		return "  before  " + state("") + "\n  step    " + step + arguments + "\n  after   " + state("+");
	}

	private String state(String suffix) {
		String nodes = all("Node").stream()
			.map((node) -> name(node) + " has " + keys(node, suffix) + ", counter "
					+ name(value("counter" + suffix, node)) + ", counted " + counts(node, suffix))
			.collect(Collectors.joining("; "));
		String leases = all("Attempt").stream()
			.filter((attempt) -> holds("done" + suffix, attempt))
			.map((attempt) -> name(attempt) + " with fence " + name(value("fence" + suffix, attempt)))
			.collect(Collectors.joining(", "));
		return nodes + "; leases of " + (leases.isEmpty() ? "none" : leases);
	}

	private String keys(Expr<?> node, String suffix) {
		return names(all("Attempt").stream().filter((attempt) -> holds("key" + suffix, node, attempt)).toList());
	}

	private String counts(Expr<?> node, String suffix) {
		return all("Attempt").stream()
			.flatMap((attempt) -> all("Fence").stream()
				.filter((fence) -> holds("counted" + suffix, node, attempt, fence))
				.map((fence) -> name(attempt) + " at " + name(fence)))
			.collect(Collectors.collectingAndThen(Collectors.joining(", "), (text) -> text.isEmpty() ? "none" : text));
	}

	private String names(List<Expr<?>> values) {
		return values.isEmpty() ? "no key"
				: "the key of " + values.stream().map(this::name).collect(Collectors.joining(", "));
	}

	private String name(Expr<?> value) {
		String sort = value.getSort().getName().toString();
		if (sort.equals("Fence")) {
			return Long.toString(all("Fence").stream().filter((other) -> holds("less", other, value)).count() + 1);
		}
		String prefix = Map.of("Node", "node ", "Attempt", "attempt ", "Quorum", "quorum ").get(sort);
		return prefix + (all(sort).indexOf(value) + 1);
	}

	private List<Expr<?>> all(String sort) {
		return Arrays.stream(this.model.getSorts())
			.filter((known) -> known.getName().toString().equals(sort))
			.flatMap((known) -> Arrays.stream(this.model.<Sort>getSortUniverse(known)))
			.<Expr<?>>map((value) -> value)
			.toList();
	}

	private boolean holds(String relation, Expr<?>... arguments) {
		return value(relation, arguments).isTrue();
	}

	private Expr<?> value(String function, Expr<?>... arguments) {
		FuncDecl<?> declaration = Arrays.stream(this.model.getDecls())
			.filter((known) -> known.getName().toString().equals(function))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("The model does not know " + function));
		return this.model.eval(this.z3.mkApp(declaration, arguments), true);
	}

}
