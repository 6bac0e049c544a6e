package dev.redlock.test;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Resolves parameters of type {@link RedisNodes} in tests with {@link EmbeddedRedlock}.
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
	 * Returns the JUnit context of the innermost class with {@link EmbeddedRedlock}, so
	 * that nested classes share the servers of this class.
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
