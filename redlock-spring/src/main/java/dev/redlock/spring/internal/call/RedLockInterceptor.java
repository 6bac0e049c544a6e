package dev.redlock.spring.internal.call;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import dev.redlock.spring.internal.method.Weaving;
import dev.redlock.spring.internal.weaving.JoinPointInvocation;
import dev.redlock.spring.template.RedLockOperations;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs a method under the lock that its {@code @RedLock} describes.
 */
public final class RedLockInterceptor implements MethodInterceptor {

	private final BiFunction<Method, Class<?>, Optional<RedLockSpec>> specs;

	private final BeanResolver beans;

	private final Supplier<ResourceNameResolver> resolver;

	private final boolean weaving = Weaving.isAspectWoven();

	/**
	 * @param specs finds the specification of a method of a class
	 */
	public RedLockInterceptor(BiFunction<Method, Class<?>, Optional<RedLockSpec>> specs, BeanFactory beans) {
		this.specs = specs;
		this.beans = new BeanFactoryResolver(beans);
		ObjectProvider<ResourceNameResolver> resolvers = beans.getBeanProvider(ResourceNameResolver.class);
		this.resolver = SingletonSupplier.of(() -> resolvers.getIfAvailable(() -> LockCall.AS_THE_ANNOTATION_SAYS));
	}

	/**
	 * Looks up the {@link ResourceNameResolver} bean at startup, so that startup fails if
	 * there are several.
	 */
	public void prepare() {
		this.resolver.get();
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target)
				: invocation.getMethod().getDeclaringClass();
		RedLockSpec spec = findByInterface(invocation, targetClass)
			.or(() -> this.specs.apply(invocation.getMethod(), targetClass))
			.orElse(null);
		if (spec == null) {
			return invocation.proceed();
		}
		LockCall call = new LockCall(spec, invocation, this.beans, this.resolver.get(),
				this.weaving && !(invocation instanceof JoinPointInvocation));
		RedLockOperations operations = spec.templates().operations().get();
		LockedMethodExtension.Runner runner = spec.runner();
		if (runner == null) {
			return spec.invoker().invoke(operations, call);
		}
		return call.meetsCondition() ? runner.run(operations, call.request(), call) : call.proceed();
	}

	/**
	 * Searches the interfaces of a JDK proxy for {@code @RedLock}, because the proxy's
	 * target may be a lambda or may not implement the interface.
	 */
	private Optional<RedLockSpec> findByInterface(MethodInvocation invocation, Class<?> targetClass) {
		if (!(invocation instanceof ProxyMethodInvocation call) || !Proxy.isProxyClass(call.getProxy().getClass())) {
			return Optional.empty();
		}
		Method method = invocation.getMethod();
		boolean unnamed = Proxy.isProxyClass(targetClass) || ClassUtils.isLambdaClass(targetClass);
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(call.getProxy()))
			.filter((type) -> method.getDeclaringClass().isAssignableFrom(type)
					&& (unnamed || !type.isAssignableFrom(targetClass)))
			.flatMap((type) -> this.specs.apply(method, type).stream())
			.findFirst();
	}

}
