package dev.redlock.spring.internal.startup;

import java.util.stream.Stream;

import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.template.TransactionLeases;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Makes the transactions of each transaction manager bean record the leases around them.
 * This post-processor comes first, so that it sees the manager itself, even if another
 * post-processor wraps the manager. No method has a type of spring-tx in its signature,
 * because Spring inspects all methods, also without spring-tx.
 */
final class TransactionObserver implements BeanPostProcessor, PriorityOrdered, SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	TransactionObserver(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		observe(bean);
		return bean;
	}

	/**
	 * Observes transaction managers of parent contexts, and managers that were created
	 * before this post-processor. A lazy manager of this context is not created.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		if (LeasesHeldByTransaction.SPRING_TX_PRESENT) {
			Stream
				.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans,
						ConfigurableTransactionManager.class, false, false))
				.filter((name) -> !this.beans.containsLocalBean(name) || this.beans.containsSingleton(name))
				.map(this.beans::getBean)
				.forEach(this::observe);
		}
	}

	private void observe(Object bean) {
		if (LeasesHeldByTransaction.SPRING_TX_PRESENT && bean instanceof ConfigurableTransactionManager manager) {
			TransactionLeases.observe(manager);
		}
	}

}
