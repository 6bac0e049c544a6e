package dev.redlock.spring.internal.aot;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.internal.call.FallbackMethod;
import dev.redlock.spring.internal.expression.ExpressionRoot;
import dev.redlock.spring.internal.read.RedLockSpecs;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Registers reflection hints for native images: annotations, locked methods, their
 * fallbacks, and the types that expressions read.
 */
final class RedLockAotProcessor implements BeanRegistrationAotProcessor {

	/**
	 * Matches a bean in a SpEL expression, where a name without quotes ends at the first
	 * dot.
	 */
	private static final Pattern BEAN = Pattern.compile("@(\\w+|'[\\w.$:-]+')");

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		// For a factory bean, such as that of a repository, the type of the created
		// object has the locked methods.
		Class<?> made = registeredBean.isInnerBean() ? null
				: registeredBean.getBeanFactory().getType(registeredBean.getBeanName(), false);
		Class<?> type = ClassUtils.getUserClass((made != null) ? made : registeredBean.getBeanClass());
		List<AnnotatedMethod> locked = RedLockSpecs.annotated(type);
		if (locked.isEmpty()) {
			return null;
		}
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			locked.forEach((method) -> register(hints, method, registeredBean.getBeanFactory()));
		};
	}

	private static void register(ReflectionHints hints, AnnotatedMethod locked, BeanFactory beans) {
		locked.annotation()
			.getMetaTypes()
			.forEach((annotation) -> hints.registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS));
		hints.registerMethod(locked.method(), ExecutableMode.INVOKE);
		String fallback = locked.annotation().getString("fallback");
		if (StringUtils.hasText(fallback)) {
			hints.registerMethod(FallbackMethod.find(locked, fallback.strip()).method(), ExecutableMode.INVOKE);
		}
		String expressions = String.join(" ", expressions(locked).toList());
		if (expressions.contains("#")) {
			open(hints, ExpressionRoot.class);
			open(hints, locked.targetClass());
			Stream.of(locked.method().getParameterTypes())
				.filter((type) -> !ClassUtils.isPrimitiveOrWrapper(type))
				.forEach((type) -> open(hints, type));
		}
		Matcher bean = BEAN.matcher(expressions);
		while (bean.find()) {
			String name = bean.group(1).replace("'", "");
			Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
			if (type != null) {
				open(hints, ClassUtils.getUserClass(type));
			}
		}
	}

	private static Stream<String> expressions(AnnotatedMethod locked) {
		return Stream.concat(Stream.of(locked.annotation().getStringArray("resource")),
				Stream.of(locked.annotation().getString("condition")));
	}

	private static void open(ReflectionHints hints, Class<?> type) {
		hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS);
	}

}
