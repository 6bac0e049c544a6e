package dev.redlock.test;

import dev.redlock.test.scripted.ScriptedNodes;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Resolves parameters of type {@link ScriptedNodes} in tests with
 * {@link ScriptedRedlock}.
 */
class ScriptedRedlockExtension extends NodesExtension<ScriptedNodes> {

	ScriptedRedlockExtension() {
		super(ScriptedNodes.class, ScriptedNodes::heal,
				"@ScriptedRedlock found no ScriptedNodes in the application context. Do not exclude "
						+ "RedlockTestAutoConfiguration.");
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return super.supportsParameter(parameter, context) && context.getTestMethod().isPresent();
	}

	@Override
	ScriptedNodes start(ExtensionContext owner) {
		return ScriptedNodes.of(AnnotationSupport
			.findAnnotation(owner.getRequiredTestClass(), ScriptedRedlock.class, owner.getEnclosingTestClasses())
			.map(ScriptedRedlock::nodes)
			.orElseThrow());
	}

}
