package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The annotations of all beans, each read once.
 */
final class RedLockSpecs {

	private final Map<MethodClassKey, Optional<RedLockSpec>> byMethod = new ConcurrentHashMap<>();

	private final Map<Class<?>, List<AnnotatedMethod>> byClass = new ConcurrentHashMap<>();

	private final Map<String, AnnotatedMethod> byName = new ConcurrentHashMap<>();

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * The extensions of this context only, because each context has its own extensions.
	 */
	private final Supplier<Collection<LockedMethodExtension>> extensions;

	RedLockSpecs(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.extensions = SingletonSupplier
			.of(() -> beanFactory.getBeansOfType(LockedMethodExtension.class, true, false).values());
	}

	/**
	 * Finds the annotation that applies to a method when it is called on a bean.
	 */
	Optional<RedLockSpec> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Optional<RedLockSpec> known = this.byMethod.get(key);
		if (known != null) {
			return known;
		}
		// The annotation is read outside of the map's function, because reading may
		// create other beans with annotations.
		Optional<RedLockSpec> read = AnnotatedMethod.find(method, targetClass)
			.map((annotated) -> new RedLockSpecReader(this.beanFactory, annotated, this.extensions.get(), this.byName)
				.read());
		Optional<RedLockSpec> other = this.byMethod.putIfAbsent(key, read);
		return (other != null) ? other : read;
	}

	/**
	 * Finds all annotations of a bean, even on methods that a proxy does not lock.
	 */
	List<RedLockSpec> findAll(Class<?> targetClass) {
		return methods(targetClass).stream()
			.flatMap((each) -> find(each.method(), each.targetClass()).stream())
			.toList();
	}

	/**
	 * Finds the annotated methods of a bean, without reading their attributes.
	 */
	List<AnnotatedMethod> methods(Class<?> targetClass) {
		return this.byClass.computeIfAbsent(ClassUtils.getUserClass(targetClass), RedLockSpecs::annotated);
	}

	/**
	 * Finds the methods that an annotation applies to, without reading its attributes. An
	 * overridden method is represented by its override. The cache is not used, so that it
	 * holds only methods that are called.
	 */
	static List<AnnotatedMethod> annotated(Class<?> userClass) {
		if (!AnnotationUtils.isCandidateClass(userClass, RedLock.class)) {
			return List.of();
		}
		return List.of(ReflectionUtils.getAllDeclaredMethods(userClass))
			.stream()
			.filter(ReflectionUtils.USER_DECLARED_METHODS::matches)
			.flatMap((method) -> AnnotatedMethod.find(method, userClass)
				.stream()
				.filter((found) -> found.method().equals(method)))
			.toList();
	}

}
