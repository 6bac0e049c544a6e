package dev.redlock.spring.internal.startup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.RedLockAdvisor;
import dev.redlock.spring.interceptor.RedLockConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Stops startup if a bean with {@code @RedLock} methods has no proxy that takes the lock,
 * and names such objects in a warning if Spring did not create them.
 */
final class UnlockedBeansCheck
		implements BeanFactoryPostProcessor, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(UnlockedBeansCheck.class);

	private final ConfigurableListableBeanFactory beans;

	private final ObjectProvider<LockedBeans> lockedBeans;

	private Set<String> registered = Set.of();

	UnlockedBeansCheck(ConfigurableListableBeanFactory beans, ObjectProvider<LockedBeans> lockedBeans) {
		this.beans = beans;
		this.lockedBeans = lockedBeans;
	}

	/**
	 * Notes the objects that tests and other code registered, also in place of a bean
	 * definition.
	 */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		this.registered = Set.of(beanFactory.getSingletonNames());
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<String> created = new ArrayList<>();
		List<String> byHand = new ArrayList<>();
		for (String name : this.lockedBeans.getObject().unlocked()) {
			boolean isCreated = this.beans.containsBeanDefinition(name) && !this.registered.contains(name);
			(isCreated ? created : byHand).add(name);
		}
		if (!byHand.isEmpty()) {
			logger.warn(
					"Methods with @RedLock run without a lock, because Spring makes no proxy for {}. Register each "
							+ "of these objects as a bean definition that no BeanFactoryPostProcessor needs",
					named(byHand));
		}
		if (!created.isEmpty()) {
			throw new InvalidRedLockException(
					"Methods with @RedLock would run without a lock, because Spring made no proxy for " + named(created)
							+ ": a BeanPostProcessor or an Advisor needs what Spring then created too early.",
					"Let no BeanPostProcessor and no Advisor depend on beans with @RedLock: inject an ObjectProvider and "
							+ "ask it later, or lock by RedLockTemplate.");
		}
	}

	/**
	 * Checks each child context, because a child context without
	 * {@link RedLockConfiguration} makes no proxies with this lock.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext context = event.getApplicationContext();
		if (context.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory child
				&& child != this.beans && child.getBeanNamesForType(RedLockAdvisor.class, true, false).length == 0) {
			List<String> unlocked = unlockedBeans(child);
			if (!unlocked.isEmpty()) {
				throw new InvalidRedLockException(
						"Methods with @RedLock would run without a lock, because the child context '"
								+ context.getDisplayName() + "' has " + named(unlocked)
								+ " and does not turn on @RedLock.",
						"Import RedLockConfiguration into the child context, enable auto-configuration there, or define "
								+ "the beans in the parent context.");
			}
		}
	}

	private List<String> unlockedBeans(ConfigurableListableBeanFactory child) {
		LockedBeans lock = this.lockedBeans.getObject();
		// The infrastructure creator applies only advisors of its own context.
		boolean inherits = child.containsLocalBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) && !(child
			.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof InfrastructureAdvisorAutoProxyCreator);
		return Stream.of(child.getBeanDefinitionNames(), child.getSingletonNames())
			.flatMap(Arrays::stream)
			.distinct()
			.filter((name) -> child.containsSingleton(name) ? lock.isUnlocked(child.getSingleton(name))
					: !inherits && lock.hasLockedMethods(child.getType(name, false)))
			.sorted()
			.toList();
	}

	private static String named(List<String> names) {
		return names.stream()
			.collect(Collectors.joining("', '", (names.size() == 1) ? "the bean '" : "the beans '", "'"));
	}

}
