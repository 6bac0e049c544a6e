package dev.redlock.spring.internal.expression;

import java.util.List;
import java.util.Map;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.DataBindingMethodResolver;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What expressions of {@code @RedLock} can use: they read properties, call instance
 * methods and refer to beans, but do nothing else. Spring's
 * {@code SimpleEvaluationContext} is not used, because its expressions cannot refer to
 * beans.
 */
public final class ExpressionContext extends StandardEvaluationContext {

	/**
	 * @param parameters the position of each parameter whose name is known
	 */
	public ExpressionContext(ExpressionRoot call, Map<String, Integer> parameters, BeanResolver beans) {
		super(call);
		setPropertyAccessors(List.of(DataBindingPropertyAccessor.forReadOnlyAccess()));
		setMethodResolvers(List.of(DataBindingMethodResolver.forInstanceMethodInvocation()));
		setConstructorResolvers(List.of());
		setTypeLocator((type) -> {
			throw new SpelEvaluationException(SpelMessage.TYPE_NOT_FOUND, type);
		});
		setBeanResolver(beans);
		for (int i = 0; i < call.args().length; i++) {
			setVariable("a" + i, call.args()[i]);
			setVariable("p" + i, call.args()[i]);
		}
		parameters.forEach((name, index) -> setVariable(name, call.args()[index]));
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

}
