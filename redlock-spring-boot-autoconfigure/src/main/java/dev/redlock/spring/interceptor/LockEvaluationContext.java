package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * What an expression may do: read properties, call methods of instances, and refer to
 * beans. Everything but the beans is the restricted context of Spring, which cannot have
 * them.
 */
final class LockEvaluationContext implements EvaluationContext {

	private final SimpleEvaluationContext restricted;

	private final BeanResolver beans;

	LockEvaluationContext(Object root, BeanResolver beans) {
		this.restricted = SimpleEvaluationContext.forReadOnlyDataBinding()
			.withInstanceMethods()
			.withRootObject(root)
			.build();
		this.beans = beans;
	}

	@Override
	public TypedValue getRootObject() {
		return this.restricted.getRootObject();
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.restricted.getPropertyAccessors();
	}

	@Override
	public List<IndexAccessor> getIndexAccessors() {
		return this.restricted.getIndexAccessors();
	}

	@Override
	public List<ConstructorResolver> getConstructorResolvers() {
		return this.restricted.getConstructorResolvers();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.restricted.getMethodResolvers();
	}

	@Override
	public BeanResolver getBeanResolver() {
		return this.beans;
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.restricted.getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.restricted.getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.restricted.getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.restricted.getOperatorOverloader();
	}

	@Override
	public TypedValue assignVariable(String name, Supplier<TypedValue> value) {
		return this.restricted.assignVariable(name, value);
	}

	@Override
	public void setVariable(String name, @Nullable Object value) {
		this.restricted.setVariable(name, value);
	}

	@Override
	public @Nullable Object lookupVariable(String name) {
		return this.restricted.lookupVariable(name);
	}

	@Override
	public boolean isAssignmentEnabled() {
		return this.restricted.isAssignmentEnabled();
	}

}
