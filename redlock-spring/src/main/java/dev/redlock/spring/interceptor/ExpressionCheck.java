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
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Refuses a parsed expression that would fail when it is evaluated.
 *
 * @param method the annotated method
 * @param attribute the attribute with the expression
 * @param text the expression
 * @param beans the beans that it may refer to
 */
record ExpressionCheck(AnnotatedMethod method, String attribute, String text, BeanFactory beans) {

	private static final Set<String> BUILT_IN = Set.of("root", "this");

	/** The components of {@link ExpressionRoot}. */
	private static final Set<String> ROOT_PROPERTIES = Set.of("args", "method", "target");

	static void check(AnnotatedMethod method, String attribute, SpelExpression expression, BeanFactory beans) {
		new ExpressionCheck(method, attribute, expression.getExpressionString(), beans).check(expression.getAST());
	}

	/**
	 * Whether an expression on the method may say {@code #name}.
	 */
	static boolean isVariable(String name, AnnotatedMethod method) {
		return BUILT_IN.contains(name) || isParameter(name, method);
	}

	/**
	 * Whether {@code #name} is a parameter, by its name or position.
	 */
	static boolean isParameter(String name, AnnotatedMethod method) {
		return method.parameters().containsKey(name) || name.matches("[ap]\\d{1,3}")
				&& Integer.parseInt(name.substring(1)) < method.method().getParameterCount();
	}

	private void check(SpelNode node) {
		if (node instanceof TypeReference || node instanceof ConstructorReference) {
			throw refused("names a type", "Call a method of an argument or of a bean.");
		}
		if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
			throw refused("assigns", "Only read: it names what is locked.");
		}
		if (node instanceof FunctionReference) {
			throw refused("calls the function " + node.toStringAST() + ", and there are none",
					"Call a method of an argument or of a bean.");
		}
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST().substring(1));
		}
		if (node instanceof PropertyOrFieldReference name && name.getStartPosition() == 0) {
			checkRootProperty(name.getName());
		}
		if (node instanceof BeanReference) {
			checkBean(node.toStringAST().replace("'", "").substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			check(node.getChild(i));
		}
	}

	/**
	 * The first name of an expression is one of the root object.
	 */
	private void checkRootProperty(String name) {
		if (!ROOT_PROPERTIES.contains(name)) {
			throw refused("begins with the unknown name " + name,
					"Write #" + name + " for a parameter, @" + name + " for a bean, or '" + name + "' for a text.");
		}
	}

	private void checkVariable(String name) {
		if (isVariable(name, this.method)) {
			return;
		}
		Map<String, Integer> parameters = this.method.parameters();
		String action = "There are: " + parameters.keySet().stream().collect(Collectors.joining(", #", "#", "."));
		if (this.method.method().getParameterCount() == 0) {
			action = "The method has no parameters.";
		}
		else if (parameters.isEmpty()) {
			action = "The class has no parameter names: compile it with -parameters, or write #a0 for the first.";
		}
		throw refused("refers to #" + name + ", and the method has no parameter of that name", action);
	}

	private void checkBean(String name) {
		if (!this.beans.containsBean(name)) {
			throw refused("refers to the bean '" + name + "', which does not exist",
					"Write the name of a bean, or define it.");
		}
	}

	private InvalidRedLockException refused(String problem, String action) {
		return new InvalidRedLockException(this.method, this.attribute,
				"the expression \"" + this.text + "\" " + problem + ".", action);
	}

}
