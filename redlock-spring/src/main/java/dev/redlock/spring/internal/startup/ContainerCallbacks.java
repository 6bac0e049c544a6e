package dev.redlock.spring.internal.startup;

import java.util.Arrays;
import java.util.List;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Refuses {@code @RedLock} on methods that Spring calls on the bean itself when it
 * creates, injects or destroys the bean. A type with {@code @RedLock} may have such
 * methods, and their calls by Spring take no lock.
 */
final class ContainerCallbacks {

	/**
	 * The annotations are given by name, because all but those of Spring may be absent.
	 */
	private static final List<String> INJECTION = List.of("org.springframework.beans.factory.annotation.Autowired",
			"org.springframework.beans.factory.annotation.Value", "jakarta.inject.Inject",
			"jakarta.annotation.Resource");

	private static final String AT_START = "Let an @EventListener for ApplicationReadyEvent call a locked method "
			+ "instead, or use RedLockTemplate.";

	private ContainerCallbacks() {
	}

	/**
	 * @param definition the definition of the bean; null if the bean has no definition of
	 * its own
	 */
	static void check(AnnotatedMethod method, @Nullable BeanDefinition definition) {
		if (!method.direct()) {
			return;
		}
		refuse(method, isInjected(method) ? "a method that injects beans" : null, AT_START);
		if (method.method().getParameterCount() > 0) {
			return;
		}
		AbstractBeanDefinition methods = (definition instanceof AbstractBeanDefinition full) ? full : null;
		refuse(method, atStart(method, methods), AT_START);
		refuse(method, atEnd(method, methods),
				"Move the work to a locked method of another bean and call that method here, or use RedLockTemplate.");
	}

	private static void refuse(AnnotatedMethod method, @Nullable String callback, String action) {
		method.refuseIf(callback != null, "place",
				"Spring calls " + callback + " on the bean itself and not on its proxy.", action);
	}

	/**
	 * Spring does not call an override without such an annotation.
	 */
	private static boolean isInjected(AnnotatedMethod method) {
		return INJECTION.stream().anyMatch(MergedAnnotations.from(method.method())::isPresent);
	}

	private static @Nullable String atStart(AnnotatedMethod method, @Nullable AbstractBeanDefinition definition) {
		if (isAnnotated(method, "jakarta.annotation.PostConstruct")) {
			return "a @PostConstruct method";
		}
		if (isNamed(method, "afterPropertiesSet") && InitializingBean.class.isAssignableFrom(method.targetClass())) {
			return "afterPropertiesSet()";
		}
		return (definition != null && isNamed(method, definition.getInitMethodNames())) ? "an init method" : null;
	}

	private static @Nullable String atEnd(AnnotatedMethod method, @Nullable AbstractBeanDefinition definition) {
		if (definition != null && definition.isPrototype()) {
			// Spring does not destroy prototypes.
			return null;
		}
		if (isAnnotated(method, "jakarta.annotation.PreDestroy")) {
			return "a @PreDestroy method";
		}
		if (isNamed(method, "destroy") && DisposableBean.class.isAssignableFrom(method.targetClass())) {
			return "destroy()";
		}
		return (definition != null && isDestroyMethod(method, definition)) ? "a destroy method" : null;
	}

	private static boolean isDestroyMethod(AnnotatedMethod method, AbstractBeanDefinition definition) {
		String[] names = definition.getDestroyMethodNames();
		if (names != null && !Arrays.asList(names).contains(AbstractBeanDefinition.INFER_METHOD)) {
			return isNamed(method, names);
		}
		if (DisposableBean.class.isAssignableFrom(method.targetClass())) {
			// Spring infers a destroy method only for other beans.
			return false;
		}
		if (names == null) {
			return isNamed(method, "close") && AutoCloseable.class.isAssignableFrom(method.targetClass());
		}
		return isNamed(method, ClassUtils.hasMethod(method.targetClass(), "close") ? "close" : "shutdown");
	}

	/**
	 * The superclasses are searched, because Spring also calls overrides of an annotated
	 * method.
	 */
	private static boolean isAnnotated(AnnotatedMethod method, String annotation) {
		return MergedAnnotations.from(method.method(), SearchStrategy.SUPERCLASS).isPresent(annotation);
	}

	private static boolean isNamed(AnnotatedMethod method, String @Nullable ... names) {
		return names != null && Arrays.asList(names).contains(method.method().getName());
	}

}
