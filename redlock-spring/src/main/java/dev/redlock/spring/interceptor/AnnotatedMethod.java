package dev.redlock.spring.interceptor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A locked method, with the {@code @RedLock} annotation that applies to it.
 *
 * @param method the most specific method in the class of the bean, never a bridge method
 * @param targetClass the class of the bean, not of its proxy
 * @param annotation the {@code @RedLock}, with the attributes of meta-annotations merged
 * @param direct true if {@code @RedLock} is on a method, false if on a type
 */
public record AnnotatedMethod(Method method, Class<?> targetClass, MergedAnnotation<RedLock> annotation,
		boolean direct) {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/**
	 * Searches the method and all overridden methods first, and then the bean's class and
	 * its supertypes.
	 */
	public static Optional<AnnotatedMethod> find(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, userClass);
		Optional<AnnotatedMethod> found = Stream.concat(places(specific, userClass), Stream.of(method))
			.flatMap(AnnotatedMethod::on)
			.findFirst()
			.map((annotation) -> new AnnotatedMethod(specific, userClass, annotation, true));
		return (found.isPresent() || !isCoveredByType(specific)) ? found : on(userClass).findFirst()
			.map((annotation) -> new AnnotatedMethod(specific, userClass, annotation, false));
	}

	/**
	 * Returns the applied annotation and all others in the supertypes of the bean's
	 * class.
	 */
	public Stream<MergedAnnotation<RedLock>> annotations() {
		return this.direct ? places(this.method, this.targetClass).flatMap(AnnotatedMethod::on) : on(this.targetClass);
	}

	/**
	 * Returns the annotation's name with an at sign: {@code @RedLock}, or the annotation
	 * that carries {@code @RedLock}.
	 */
	public String annotationName() {
		return "@" + this.annotation.getRoot().getType().getSimpleName();
	}

	public ResolvableType declaredReturnType() {
		return ResolvableType.forMethodReturnType(this.method, this.targetClass);
	}

	/**
	 * Resolves type parameters, because a method of a generic superclass may be compiled
	 * to return {@code Object}.
	 */
	public Class<?> returnType() {
		return declaredReturnType().resolve(this.method.getReturnType());
	}

	/**
	 * Returns the positions of the parameters by their names. If an overriding method
	 * uses the same parameter names in another order, the order of the annotated method
	 * wins.
	 */
	public Map<String, Integer> parameters() {
		Map<String, Integer> indexes = new LinkedHashMap<>();
		if (this.annotation.getSource() instanceof Method source) {
			addNames(source, indexes);
		}
		addNames(this.method, indexes);
		addNames(ClassUtils.getInterfaceMethodIfPossible(this.method, this.targetClass), indexes);
		return indexes;
	}

	/**
	 * Returns class and method without package and parameters, such as
	 * {@code Orders.sell}.
	 */
	public String shortName() {
		return ClassUtils.getShortName(this.targetClass) + "." + this.method.getName();
	}

	/**
	 * Throws an exception if the annotation of this method has a mistake.
	 * @param mistake true to throw the exception
	 * @param attribute the wrong part: the name of an attribute, "place", "return type"
	 * or "attributes"
	 * @param problem a sentence that says what is wrong with the annotation
	 * @param action a sentence that says how to correct the annotation
	 */
	public void refuseIf(boolean mistake, String attribute, String problem, String action) {
		if (mistake) {
			throw new InvalidRedLockException(this, attribute, problem, action);
		}
	}

	@Override
	public String toString() {
		return this.targetClass.getName() + "." + this.method.getName() + describe(this.method.getParameterTypes());
	}

	public static String describe(Class<?>[] parameters) {
		return Arrays.stream(parameters).map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"));
	}

	private static Stream<MergedAnnotation<RedLock>> on(AnnotatedElement element) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(RedLock.class);
	}

	/**
	 * A superclass may contain the method although only its subclass implements the
	 * annotated interface.
	 */
	private static Stream<Method> places(Method method, Class<?> userClass) {
		return Stream.concat(Stream.of(method),
				Stream.of(ClassUtils.getAllInterfacesForClass(userClass))
					.filter((type) -> Modifier.isPublic(method.getModifiers())
							&& !type.isAssignableFrom(method.getDeclaringClass()))
					.map((type) -> ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes()))
					.filter(Objects::nonNull));
	}

	private static boolean isCoveredByType(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !method.isSynthetic() && !ReflectionUtils.isObjectMethod(method);
	}

	private static void addNames(Method method, Map<String, Integer> indexes) {
		String[] names = NAMES.getParameterNames(method);
		for (int i = 0; names != null && i < names.length; i++) {
			indexes.putIfAbsent(names[i], i);
		}
	}

}
