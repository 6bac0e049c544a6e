package dev.redlock.test;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Passes the real Redis nodes of the application context, or of the test class, to the
 * test.
 */
class EmbeddedRedlockExtension extends NodesExtension<RedisNodes> {

	EmbeddedRedlockExtension() {
		super(RedisNodes.class, RedisNodes::heal,
				"@EmbeddedRedlock found no RedisNodes in the application context. "
						+ "Do not exclude EmbeddedRedlockAutoConfiguration, and declare no other "
						+ "RedlockConnectionDetails.");
	}

	@Override
	RedisNodes start(ExtensionContext owner) {
		return RedisNodes.start(AnnotationSupport.findAnnotation(owner.getTestClass(), EmbeddedRedlock.class)
			.map(EmbeddedRedlock::nodes)
			.orElseThrow());
	}

	/**
	 * The innermost class with the annotation, whose nested classes share its nodes.
	 */
	@Override
	ExtensionContext owner(ExtensionContext context) {
		for (ExtensionContext next = context; next != null; next = next.getParent().orElse(null)) {
			if (AnnotationSupport.isAnnotated(next.getTestClass(), EmbeddedRedlock.class)
					&& next.getTestMethod().isEmpty()) {
				return next;
			}
		}
		return context;
	}

}
