package dev.redlock.spring.interceptor;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Finds in a parsed expression what would fail when it is evaluated.
 */
final class ExpressionCheck {

	private static final Set<String> BUILT_IN = Set.of("root", "this");

	private final BeanFactory beanFactory;

	ExpressionCheck(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	void check(AnnotatedMethod method, String attribute, SpelExpression expression) {
		walk(method, attribute, expression.getExpressionString(), expression.getAST());
	}

	/**
	 * Whether an expression on the method may say {@code #name}.
	 */
	static boolean isVariable(String name, AnnotatedMethod method) {
		return BUILT_IN.contains(name) || method.parameters().containsKey(name) || isPosition(name, method);
	}

	private void walk(AnnotatedMethod method, String attribute, String text, SpelNode node) {
		if (node instanceof TypeReference || node instanceof ConstructorReference) {
			throw refused(method, attribute, text, "names a type", "Call a method of an argument or of a bean.");
		}
		if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
			throw refused(method, attribute, text, "assigns", "Only read: it names what is locked.");
		}
		if (node instanceof FunctionReference) {
			throw refused(method, attribute, text, "calls the function " + node.toStringAST() + ", and there are none",
					"Call a method of an argument or of a bean.");
		}
		if (node instanceof VariableReference) {
			checkVariable(method, attribute, text, node.toStringAST().substring(1));
		}
		if (node instanceof BeanReference) {
			checkBean(method, attribute, text, node.toStringAST().replace("'", "").substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			walk(method, attribute, text, node.getChild(i));
		}
	}

	private void checkVariable(AnnotatedMethod method, String attribute, String text, String name) {
		if (isVariable(name, method)) {
			return;
		}
		Map<String, Integer> parameters = method.parameters();
		boolean nameless = parameters.isEmpty() && method.method().getParameterCount() > 0;
		String known = parameters.keySet()
			.stream()
			.map((parameter) -> "#" + parameter)
			.collect(Collectors.joining(", "));
		throw refused(method, attribute, text, "refers to #" + name + ", and the method has no parameter of that name",
				nameless ? "The class has no parameter names: compile it with -parameters, or write #a0 for the first."
						: (known.isEmpty() ? "The method has no parameters." : "There are: " + known + "."));
	}

	private void checkBean(AnnotatedMethod method, String attribute, String text, String name) {
		if (!this.beanFactory.containsBean(name)) {
			throw refused(method, attribute, text, "refers to the bean '" + name + "', which does not exist",
					"Write the name of a bean, or define it.");
		}
	}

	private static boolean isPosition(String name, AnnotatedMethod method) {
		return name.matches("[ap]\\d{1,3}")
				&& Integer.parseInt(name.substring(1)) < method.method().getParameterCount();
	}

	private static InvalidRedLockException refused(AnnotatedMethod method, String attribute, String text, String what,
			String action) {
		return new InvalidRedLockException(method, attribute, "the expression \"" + text + "\" " + what + ".", action);
	}

}
