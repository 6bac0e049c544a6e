package dev.redlock.spring.internal.call;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import dev.redlock.spring.internal.expression.ExpressionContext;
import dev.redlock.spring.internal.expression.ExpressionRoot;
import dev.redlock.spring.internal.method.EmptyValue;
import dev.redlock.spring.internal.weaving.ProxiedCall;
import dev.redlock.spring.template.TransactionLeases;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;

/**
 * One call of a method with {@code @RedLock}: evaluates the expressions of the annotation
 * and runs the method.
 */
public final class LockCall implements LockedMethodExtension.Call {

	public static final ResourceNameResolver AS_THE_ANNOTATION_SAYS = ResourceNameResolver.Call::names;

	private final RedLockSpec spec;

	private final MethodInvocation invocation;

	private final BeanResolver beans;

	private final ResourceNameResolver resolver;

	private final boolean toWovenMethod;

	private @Nullable EvaluationContext context;

	/**
	 * True when the locked method was called, so that the method's own
	 * {@link LockNotAcquiredException} does not lead to the fallback.
	 */
	private volatile boolean locked;

	public LockCall(RedLockSpec spec, MethodInvocation invocation, BeanResolver beans, ResourceNameResolver resolver,
			boolean toWovenMethod) {
		this.spec = spec;
		this.invocation = invocation;
		this.beans = beans;
		this.resolver = resolver;
		this.toWovenMethod = toWovenMethod;
	}

	/**
	 * Copies this call, because each subscription to a publisher calls the method anew.
	 */
	@Override
	public LockCall copy() {
		MethodInvocation copy = (this.invocation instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone()
				: this.invocation;
		return new LockCall(this.spec, copy, this.beans, this.resolver, this.toWovenMethod);
	}

	public boolean meetsCondition() {
		return this.spec.meetsCondition(this);
	}

	/**
	 * If a name cannot be read because a constraint of a parameter is violated, throws
	 * the violation.
	 */
	public LockRequest request() {
		try {
			return this.spec.request(this);
		}
		catch (IllegalArgumentException ex) {
			ArgumentValidation.validate(this.invocation);
			throw ex;
		}
	}

	Method method() {
		return this.invocation.getMethod();
	}

	@Nullable Object[] arguments() {
		return this.invocation.getArguments();
	}

	/**
	 * Returns the target of the intercepted call, which may be a proxy that another
	 * post-processor made.
	 */
	@Nullable Object target() {
		return this.invocation.getThis();
	}

	/**
	 * Returns the proxy that locks the method, or the bean if AspectJ has woven the
	 * method.
	 */
	@Nullable Object proxy() {
		return (this.invocation instanceof ProxyMethodInvocation proxied) ? proxied.getProxy() : target();
	}

	@Override
	public @Nullable Object bean() {
		Object bean = target();
		for (Object next = bean; next != null; next = AopProxyUtils.getSingletonTarget(next)) {
			bean = next;
		}
		return bean;
	}

	/**
	 * Returns the SpEL context, which is created on first use because constant attributes
	 * need none.
	 */
	EvaluationContext context() {
		if (this.context == null) {
			this.context = new ExpressionContext(new ExpressionRoot(arguments(), method(), target()),
					this.spec.parameters(), this.beans);
		}
		return this.context;
	}

	List<String> resolve(List<String> names) {
		if (this.resolver == AS_THE_ANNOTATION_SAYS) {
			return names;
		}
		List<@Nullable Object> args = Collections.unmodifiableList(Arrays.asList(arguments()));
		Collection<String> resolved = this.resolver
			.resolve(new ResourceNameResolver.Call(method(), target(), args, names));
		if (resolved == null || resolved.stream().anyMatch(Objects::isNull)) {
			throw new IllegalArgumentException("The ResourceNameResolver " + this.resolver.getClass().getName()
					+ " returned null for " + method() + ". Return one name or more.");
		}
		return List.copyOf(resolved);
	}

	@Override
	public @Nullable Object runLocked() {
		this.locked = true;
		if (this.resolver != AS_THE_ANNOTATION_SAYS) {
			TransactionLeases.resolveNames(this::resolve);
		}
		return proceed();
	}

	@Override
	public @Nullable Object skip() {
		return EmptyValue.of(this.spec.method().returnType());
	}

	/**
	 * Throws exceptions of the locked method unchanged, even checked exceptions that the
	 * method does not declare.
	 */
	@SuppressWarnings("unchecked")
	public <E extends Throwable> @Nullable Object proceed() throws E {
		try {
			return this.toWovenMethod ? new ProxiedCall(this.spec.method().method(), bean()).proceed(this.invocation)
					: advised();
		}
		catch (Throwable ex) {
			throw (E) ex;
		}
	}

	/**
	 * Sets Spring's current invocation for inner aspects, because a thread that
	 * subscribes to a publisher may have none.
	 */
	private @Nullable Object advised() throws Throwable {
		return (this.invocation instanceof ProxyMethodInvocation)
				? ExposeInvocationInterceptor.INSTANCE.invoke(this.invocation) : this.invocation.proceed();
	}

	@Override
	public @Nullable Object answer(LockNotAcquiredException failure) throws Throwable {
		if (this.locked) {
			throw failure;
		}
		return this.spec.onFailure().handle(failure, this);
	}

}
