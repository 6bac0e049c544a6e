package dev.redlock.test;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.junit.jupiter.SpringExtension;
import org.springframework.util.ClassUtils;

/**
 * Passes servers to a test as a parameter, and makes all servers work again before each
 * test. In a Spring test, the servers are a bean of the application context.
 */
abstract class NodesExtension<N extends AutoCloseable> implements BeforeEachCallback, ParameterResolver {

	private static final boolean SPRING_TEST = ClassUtils.isPresent(
			"org.springframework.test.context.junit.jupiter.SpringExtension", NodesExtension.class.getClassLoader());

	private final Class<N> type;

	private final Consumer<N> heal;

	private final String noBeanMessage;

	NodesExtension(Class<N> type, Consumer<N> heal, String noBeanMessage) {
		this.type = type;
		this.heal = heal;
		this.noBeanMessage = noBeanMessage;
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == this.type && parameter.getParameter().getAnnotations().length == 0;
	}

	/**
	 * An outer class may have the servers as a constructor parameter, because JUnit
	 * creates outer objects of nested test classes.
	 */
	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> declaring = parameter.getDeclaringExecutable().getDeclaringClass();
		ExtensionContext of = context;
		while (!declaring.isAssignableFrom(of.getRequiredTestClass()) && of.getParent().isPresent()
				&& of.getParent().get().getTestClass().isPresent()) {
			of = of.getParent().get();
		}
		return isSpringTest(context) ? nodes(context) : nodes(of);
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.heal.accept(nodes(context));
		for (Class<?> around : context.getEnclosingTestClasses()) {
			N others = store(context).get(around, this.type);
			if (others != null) {
				this.heal.accept(others);
			}
		}
	}

	abstract N start(ExtensionContext owner);

	/**
	 * Returns the JUnit context at whose end the servers are closed.
	 */
	ExtensionContext owner(ExtensionContext context) {
		return context;
	}

	private N nodes(ExtensionContext context) {
		if (isSpringTest(context)) {
			return SpringTest.bean(context, this.type, this.noBeanMessage);
		}
		ExtensionContext owner = owner(context);
		return store(owner).computeIfAbsent(owner.getRequiredTestClass(), (key) -> start(owner), this.type);
	}

	private ExtensionContext.Store store(ExtensionContext context) {
		return context.getStore(ExtensionContext.Namespace.create(getClass()));
	}

	private static boolean isSpringTest(ExtensionContext context) {
		return SPRING_TEST && SpringTest.hasContext(context);
	}

	/**
	 * Spring's test support is optional, so its types are used only in this nested class.
	 */
	private static final class SpringTest {

		private static boolean hasContext(ExtensionContext context) {
			Class<?> testClass = context.getRequiredTestClass();
			return TestContextAnnotationUtils.hasAnnotation(testClass, BootstrapWith.class)
					|| TestContextAnnotationUtils.hasAnnotation(testClass, ContextConfiguration.class)
					|| isExtended(context);
		}

		private static boolean isExtended(ExtensionContext context) {
			return Stream.concat(context.getEnclosingTestClasses().stream(), context.getTestClass().stream())
				.flatMap((type) -> AnnotationSupport.findRepeatableAnnotations(type, ExtendWith.class).stream())
				.anyMatch((extensions) -> List.of(extensions.value()).contains(SpringExtension.class));
		}

		private static <T> T bean(ExtensionContext context, Class<T> type, String noBeanMessage) {
			return SpringExtension.getApplicationContext(context).getBeanProvider(type).getIfAvailable(() -> {
				throw new IllegalStateException(noBeanMessage);
			});
		}

	}

}
