package dev.redlock.test;

import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Hands the scripted nodes of the application context, or of the test, to the test.
 */
class ScriptedRedlockExtension implements BeforeEachCallback, ParameterResolver {

	private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace
		.create(ScriptedRedlockExtension.class);

	private static final String NO_NODES = "@ScriptedRedlock found no ScriptedNodes in the application context. Let"
			+ " RedlockTestAutoConfiguration take part.";

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == ScriptedNodes.class
				&& parameter.getParameter().getAnnotations().length == 0 && context.getTestMethod().isPresent();
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return nodes(context);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		nodes(context).heal();
	}

	private static ScriptedNodes nodes(ExtensionContext context) {
		Class<?> testClass = context.getRequiredTestClass();
		if (SpringTests.manage(testClass)) {
			return SpringTests.bean(context, ScriptedNodes.class, NO_NODES);
		}
		int count = AnnotationSupport
			.findAnnotation(testClass, ScriptedRedlock.class, context.getEnclosingTestClasses())
			.map(ScriptedRedlock::nodes)
			.orElseThrow();
		// The store closes what it holds when the test is through.
		return context.getStore(NAMESPACE)
			.computeIfAbsent(ScriptedNodes.class, (key) -> ScriptedNodes.of(count), ScriptedNodes.class);
	}

}
