package dev.redlock.spring.internal.read;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.internal.call.RedLockSpec;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Reads the {@code @RedLock} annotations of all beans, each annotation once.
 */
public final class RedLockSpecs {

	private final Map<MethodClassKey, Optional<RedLockSpec>> byMethod = new ConcurrentHashMap<>();

	private final Map<Class<?>, List<AnnotatedMethod>> byClass = new ConcurrentHashMap<>();

	private final Map<String, AnnotatedMethod> byName = new ConcurrentHashMap<>();

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * The {@link LockedMethodExtension} beans of this application context, without those
	 * of its parent contexts.
	 */
	private final Supplier<Collection<LockedMethodExtension>> extensions;

	public RedLockSpecs(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.extensions = SingletonSupplier
			.of(() -> beanFactory.getBeansOfType(LockedMethodExtension.class, true, false).values());
	}

	public void createExtensions() {
		this.extensions.get();
	}

	public Optional<RedLockSpec> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Optional<RedLockSpec> known = this.byMethod.get(key);
		if (known != null) {
			return known;
		}
		// computeIfAbsent() would fail, because reading an annotation may create other
		// beans, whose annotations are added to the same map.
		Optional<RedLockSpec> read = AnnotatedMethod.find(method, targetClass)
			.map((annotated) -> new RedLockSpecReader(this.beanFactory, annotated, this.extensions.get(), this.byName)
				.read());
		return Objects.requireNonNullElse(this.byMethod.putIfAbsent(key, read), read);
	}

	/**
	 * Finds the locked methods of a class, even methods that no proxy can lock.
	 */
	public List<RedLockSpec> findAll(Class<?> targetClass) {
		return methods(targetClass).stream()
			.flatMap((each) -> find(each.method(), each.targetClass()).stream())
			.toList();
	}

	/**
	 * Finds the methods of a class with {@code @RedLock}, without reading the attributes
	 * of the annotations.
	 */
	public List<AnnotatedMethod> methods(Class<?> targetClass) {
		return this.byClass.computeIfAbsent(ClassUtils.getUserClass(targetClass), RedLockSpecs::annotated);
	}

	/**
	 * Returns overriding methods with {@code @RedLock}, and not the methods that they
	 * override.
	 */
	public static List<AnnotatedMethod> annotated(Class<?> userClass) {
		if (!AnnotationUtils.isCandidateClass(userClass, RedLock.class)) {
			return List.of();
		}
		return Stream.of(ReflectionUtils.getAllDeclaredMethods(userClass))
			.filter(ReflectionUtils.USER_DECLARED_METHODS::matches)
			.flatMap((method) -> AnnotatedMethod.find(method, userClass)
				.stream()
				.filter((found) -> found.method().equals(method)))
			.toList();
	}

}
