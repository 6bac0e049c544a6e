package dev.redlock.test;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Hands the nodes of the application context, or of the test class, to the test.
 */
class EmbeddedRedlockExtension implements BeforeEachCallback, ParameterResolver {

	private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace
		.create(EmbeddedRedlockExtension.class);

	private static final String NO_NODES = "@EmbeddedRedlock found no RedisNodes in the application context. Let"
			+ " EmbeddedRedlockAutoConfiguration take part, and no RedLockConnectionDetails of another origin.";

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == RedisNodes.class
				&& parameter.getParameter().getAnnotations().length == 0;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return nodes(context);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		nodes(context).heal();
	}

	private static RedisNodes nodes(ExtensionContext context) {
		if (SpringTests.manage(context.getRequiredTestClass())) {
			return SpringTests.bean(context, RedisNodes.class, NO_NODES);
		}
		return ofTestClass(context);
	}

	private static RedisNodes ofTestClass(ExtensionContext context) {
		ExtensionContext owner = outermostAnnotated(context);
		int count = AnnotationSupport.findAnnotation(owner.getTestClass(), EmbeddedRedlock.class)
			.map(EmbeddedRedlock::nodes)
			.orElseThrow();
		// The store closes what it holds when the class is through.
		return owner.getStore(NAMESPACE)
			.computeIfAbsent(RedisNodes.class, (key) -> RedisNodes.start(count), RedisNodes.class);
	}

	/**
	 * The tests of a nested class share the nodes of the class around it.
	 */
	private static ExtensionContext outermostAnnotated(ExtensionContext context) {
		ExtensionContext owner = context;
		for (ExtensionContext next = context; next != null; next = next.getParent().orElse(null)) {
			if (AnnotationSupport.isAnnotated(next.getTestClass(), EmbeddedRedlock.class)
					&& next.getTestMethod().isEmpty()) {
				owner = next;
			}
		}
		return owner;
	}

}
