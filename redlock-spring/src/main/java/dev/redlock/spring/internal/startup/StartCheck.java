package dev.redlock.spring.internal.startup;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.internal.call.ReactiveLockInvoker;
import dev.redlock.spring.internal.call.RedLockSpec;
import dev.redlock.spring.internal.expression.LockText;
import dev.redlock.spring.internal.method.Weaving;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;

/**
 * Stops startup if a {@code @RedLock} has a mistake, or if no proxy can lock the method.
 * This post-processor runs after all ordered post-processors, and so sees all advice of a
 * bean. Lock settings are checked when all singletons exist, because the check needs the
 * template beans.
 */
final class StartCheck implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton, DisposableBean {

	private final LockedBeans lockedBeans;

	private final ConfigurableListableBeanFactory beans;

	private final LockUsers users;

	private final Queue<List<RedLockSpec>> unchecked = new ConcurrentLinkedQueue<>();

	private final Set<String> checkedEarly = ConcurrentHashMap.newKeySet();

	private volatile boolean started;

	StartCheck(LockedBeans lockedBeans, ConfigurableListableBeanFactory beans, LockUsers users) {
		this.lockedBeans = lockedBeans;
		this.beans = beans;
		this.users = users;
		lockedBeans.createExtensions();
		Weaving.connect(lockedBeans.interceptor());
	}

	/**
	 * Checks the bean's class before Spring creates the proxy, because Spring's own
	 * message about a final class is less helpful.
	 */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		for (AnnotatedMethod method : unwoven(find(bean))) {
			ProxyCheck.checkMethod(method);
			ContainerCallbacks.check(method,
					this.beans.containsBeanDefinition(beanName) ? this.beans.getMergedBeanDefinition(beanName) : null);
			ProxyCheck.checkClass(method,
					this.beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
							&& creator.isProxyTargetClass());
		}
		return bean;
	}

	/**
	 * Checks a bean of a circular dependency now, because Spring later passes the bean to
	 * this post-processor without its proxies.
	 */
	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		postProcessAfterInitialization(bean, beanName);
		this.checkedEarly.add(beanName);
		return bean;
	}

	/**
	 * Also checks objects of factory beans, which Spring passes to a post-processor only
	 * after their initialization.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.checkedEarly.remove(beanName)) {
			return bean;
		}
		List<RedLockSpec> found = find(bean);
		if (!found.isEmpty()) {
			this.users.add(beanName);
			for (AnnotatedMethod method : unwoven(found)) {
				ProxyCheck.checkMethod(method);
				ProxyCheck.checkProxy(method, bean, this.lockedBeans);
			}
			this.unchecked.add(found);
			// No other unchecked bean is checked here, because Spring would report its
			// mistakes as mistakes of this bean.
			if (this.started && this.unchecked.remove(found)) {
				check(found);
			}
			found.forEach((spec) -> created(beanName, spec));
		}
		return bean;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.started = true;
		for (List<RedLockSpec> specs = this.unchecked.poll(); specs != null; specs = this.unchecked.poll()) {
			check(specs);
		}
	}

	@Override
	public void destroy() {
		Weaving.disconnect(this.lockedBeans.interceptor());
	}

	private List<RedLockSpec> find(Object bean) {
		return (bean instanceof AopInfrastructureBean) ? List.of() : this.lockedBeans.find(bean);
	}

	private static List<AnnotatedMethod> unwoven(List<RedLockSpec> specs) {
		return specs.stream().map(RedLockSpec::method).filter((method) -> !Weaving.isWoven(method)).toList();
	}

	private void check(List<RedLockSpec> specs) {
		this.lockedBeans.interceptor().prepare();
		for (RedLockSpec spec : specs) {
			if (spec.invoker() instanceof ReactiveLockInvoker) {
				spec.templates().reactive().get();
			}
			if (spec.templates().operations().get() instanceof RedLockTemplate template) {
				check(spec, template);
			}
		}
	}

	private static void check(RedLockSpec spec, RedLockTemplate template) {
		try {
			template.check(spec.constants());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(spec.method(), ex);
		}
	}

	private static void created(String beanName, RedLockSpec spec) {
		if (spec.runner() != null) {
			LockText name = spec.resources().get(0);
			spec.runner().created(beanName, name.isConstant() ? name.text() : null);
		}
	}

}
