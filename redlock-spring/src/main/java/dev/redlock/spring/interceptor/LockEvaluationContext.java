package dev.redlock.spring.interceptor;

import java.util.List;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Lets an expression read properties, call instance methods and refer to beans. These are
 * the limits of Spring's {@code SimpleEvaluationContext}, which cannot refer to beans.
 */
final class LockEvaluationContext extends StandardEvaluationContext {

	LockEvaluationContext(Object root, BeanResolver beans) {
		super(root);
		setPropertyAccessors(List.of(DataBindingPropertyAccessor.forReadOnlyAccess()));
		setMethodResolvers(List.of(DataBindingMethodResolver.forInstanceMethodInvocation()));
		setConstructorResolvers(List.of());
		setTypeLocator((type) -> {
			throw new SpelEvaluationException(SpelMessage.TYPE_NOT_FOUND, type);
		});
		setBeanResolver(beans);
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

}
