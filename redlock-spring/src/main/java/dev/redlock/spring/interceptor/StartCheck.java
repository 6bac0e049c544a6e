package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.spring.template.TransactionLeases;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Refuses beans with annotations that have a mistake, or that no proxy could lock. The
 * check runs after all post-processors with an order, so it sees all advice of a bean.
 * The lock may be looked up only when all singletons exist. The settings of beans that
 * were created earlier are checked at that time.
 */
final class StartCheck implements BeanPostProcessor, SmartInitializingSingleton, DisposableBean {

	private final RedLockAdvisor advisor;

	private final ConfigurableListableBeanFactory beans;

	private final Queue<List<RedLockSpec>> unchecked = new ConcurrentLinkedQueue<>();

	private volatile boolean started;

	StartCheck(RedLockAdvisor advisor, ConfigurableListableBeanFactory beans) {
		this.advisor = advisor;
		this.beans = beans;
		Weaving.connect(advisor.interceptor());
	}

	/**
	 * Checks a bean before its proxy is created, because a final class cannot have a
	 * proxy, and before Spring calls the initialization methods.
	 */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		for (AnnotatedMethod method : unwoven(find(bean))) {
			ProxyCheck.checkMethod(method);
			ProxyCheck.checkClass(method,
					this.beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
							&& creator.isProxyTargetClass());
		}
		return bean;
	}

	/**
	 * Checks the bean with its proxies. Objects that a factory bean creates are checked
	 * only by this method.
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (RedLockSpecReader.TRANSACTIONS) {
			Transactions.observe(bean);
		}
		List<RedLockSpec> found = find(bean);
		if (!found.isEmpty()) {
			for (AnnotatedMethod method : unwoven(found)) {
				ProxyCheck.checkMethod(method);
				ProxyCheck.checkProxy(method, bean, this.advisor);
			}
			this.unchecked.add(found);
			// Only this bean is checked, so that the mistake of another bean is not
			// reported for this bean.
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
		if (RedLockSpecReader.TRANSACTIONS) {
			Transactions.observeAll(this.beans);
		}
		for (List<RedLockSpec> specs = this.unchecked.poll(); specs != null; specs = this.unchecked.poll()) {
			check(specs);
		}
	}

	/**
	 * Disconnects woven methods, which have no lock after this call.
	 */
	@Override
	public void destroy() {
		Weaving.disconnect(this.advisor.interceptor());
	}

	private List<RedLockSpec> find(Object bean) {
		return (bean instanceof AopInfrastructureBean) ? List.of() : this.advisor.find(bean);
	}

	private static List<AnnotatedMethod> unwoven(List<RedLockSpec> specs) {
		return specs.stream().map(RedLockSpec::method).filter((method) -> !Weaving.isWoven(method)).toList();
	}

	/**
	 * Looks up the beans that calls need, and checks the settings of their locks.
	 */
	private void check(List<RedLockSpec> specs) {
		this.advisor.interceptor().prepare();
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

	/**
	 * The only nested class that uses spring-tx, which is optional.
	 */
	private static final class Transactions {

		/**
		 * Finds managers of ancestors and managers that were created early.
		 */
		static void observeAll(ConfigurableListableBeanFactory beans) {
			BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ConfigurableTransactionManager.class, false, false)
				.values()
				.forEach(Transactions::observe);
		}

		static void observe(Object bean) {
			if (bean instanceof ConfigurableTransactionManager manager) {
				TransactionLeases.observe(manager);
			}
		}

	}

}
