package dev.redlock.lettuce.internal.clock;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import com.microsoft.z3.Context;
import com.microsoft.z3.Model;
import com.microsoft.z3.RatNum;
import com.microsoft.z3.Solver;
import com.microsoft.z3.Status;
import dev.redlock.lettuce.internal.script.FenceModel;
import org.jspecify.annotations.Nullable;

/**
 * Questions about the clocks of {@code clocks.smt2}: whether some conditions can hold
 * together.
 *
 * @param values the values of the code, in milliseconds
 * @param conditions the names of conditions of the file, or conditions in SMT-LIB
 */
record ClockModel(Map<String, Double> values, Set<String> conditions) {

	private static final String TEXT = FenceModel.text("/clocks.smt2");

	ClockModel with(String value, double millis) {
		Map<String, Double> changed = new LinkedHashMap<>(this.values);
		Objects.requireNonNull(changed.put(value, millis), value);
		return new ClockModel(changed, this.conditions);
	}

	ClockModel and(String... more) {
		Set<String> all = new LinkedHashSet<>(this.conditions);
		all.addAll(List.of(more));
		return new ClockModel(this.values, all);
	}

	ClockModel without(String condition) {
		Set<String> others = new LinkedHashSet<>(this.conditions);
		if (!others.remove(condition)) {
			throw new IllegalArgumentException("There is no condition " + condition);
		}
		return new ClockModel(this.values, others);
	}

	double value(String name) {
		return Objects.requireNonNull(this.values.get(name), name);
	}

	boolean isPossible() {
		return example() != null;
	}

	/**
	 * Returns the time of each instant on each clock, in milliseconds, if there is an
	 * example.
	 */
	@Nullable Map<String, Double> example() {
		try (Context z3 = new Context()) {
			Solver solver = z3.mkSolver();
			solver.add(z3.parseSMTLIB2String(question(), null, null, null, null));
			return (solver.check() == Status.SATISFIABLE) ? numbers(solver.getModel()) : null;
		}
	}

	private String question() {
		StringBuilder text = new StringBuilder();
		this.values.forEach((name, value) -> text.append("(define-fun " + name + " () Real " + decimal(value) + ")\n"));
		text.append(TEXT);
		this.conditions.forEach((condition) -> text.append("(assert " + condition + ")\n"));
		return text.toString();
	}

	static String decimal(double value) {
		return String.format(Locale.ROOT, "%.9f", value);
	}

	private static Map<String, Double> numbers(Model model) {
		Map<String, Double> numbers = new TreeMap<>();
		for (var constant : model.getConstDecls()) {
			if (model.getConstInterp(constant) instanceof RatNum number) {
				numbers.put(constant.getName().toString(),
						number.getBigIntNumerator().doubleValue() / number.getBigIntDenominator().doubleValue());
			}
		}
		return numbers;
	}

}
