package dev.redlock.spring.internal.expression;

import java.util.Map;
import java.util.Set;

import dev.redlock.spring.interceptor.AnnotatedMethod;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * Rejects at startup the mistakes in a SpEL expression of {@code @RedLock} that show
 * without a call.
 */
record ExpressionCheck(AnnotatedMethod method, String attribute, String text, BeanFactory beans) {

	private static final Set<String> BUILT_IN = Set.of("root", "this");

	private static final Set<String> ROOT_PROPERTIES = Set.of("args", "method", "target");

	static void check(AnnotatedMethod method, String attribute, SpelExpression expression, BeanFactory beans) {
		SpelNode tree = expression.getAST();
		ExpressionCheck check = new ExpressionCheck(method, attribute, expression.getExpressionString(), beans);
		check.refuseIf(tree instanceof VariableReference && BUILT_IN.contains(tree.toStringAST().substring(1)),
				"names the whole call", "Name one argument of the call, as in #root.args[0] or #a0.");
		check.check(tree);
	}

	static boolean isVariable(String name, AnnotatedMethod method) {
		return BUILT_IN.contains(name) || isParameter(name, method);
	}

	/**
	 * Returns true for the name of a parameter, and for its position, such as {@code a0}
	 * or {@code p0}.
	 */
	static boolean isParameter(String name, AnnotatedMethod method) {
		return method.parameters().containsKey(name) || name.matches("[ap]\\d{1,3}")
				&& Integer.parseInt(name.substring(1)) < method.method().getParameterCount();
	}

	private void check(SpelNode node) {
		refuseIf(node instanceof TypeReference || node instanceof ConstructorReference, "names a type",
				"Let the expression call a method of an argument or of a bean.");
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST().substring(1));
		}
		// An expression that begins with a plain name reads a property of #root.
		if (node instanceof PropertyOrFieldReference first && first.getStartPosition() == 0) {
			String name = first.getName();
			refuseIf(!ROOT_PROPERTIES.contains(name), "begins with the unknown name " + name,
					"Write #" + name + " for a parameter, @" + name + " for a bean, or '" + name + "' for a literal.");
		}
		if (node instanceof BeanReference) {
			String name = node.toStringAST().replace("'", "").substring(1);
			refuseIf(!this.beans.containsBean(name), "refers to the bean '" + name + "', which does not exist",
					"Write the name of an existing bean, or define a bean of this name.");
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			check(node.getChild(i));
		}
	}

	private void checkVariable(String name) {
		Map<String, Integer> parameters = this.method.parameters();
		String action = ((parameters.size() > 1) ? "Use one of #" : "Use #") + String.join(", #", parameters.keySet())
				+ ".";
		if (this.method.method().getParameterCount() == 0) {
			action = "The method has no parameters.";
		}
		else if (parameters.isEmpty()) {
			action = "The class has no parameter names: compile with -parameters, or write #a0 for the first parameter.";
		}
		refuseIf(!isVariable(name, this.method),
				"refers to #" + name + ", and the method has no parameter of that name", action);
	}

	private void refuseIf(boolean mistake, String problem, String action) {
		this.method.refuseIf(mistake, this.attribute, "the expression \"" + this.text + "\" " + problem + ".", action);
	}

}
