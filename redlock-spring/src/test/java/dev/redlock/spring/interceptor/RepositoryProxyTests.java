package dev.redlock.spring.interceptor;

import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that answer by their interface alone, as repositories do: what is behind the
 * proxy does not implement it.
 */
class RepositoryProxyTests {

	private final LockWorld world = new LockWorld();

	@Test
	void anAnnotationOnTheInterfaceOfARepositoryLocks() {
		LockedContexts.runner(this.world)
			.withBean(StockRepositoryFactory.class, () -> new StockRepositoryFactory(this.world))
			.run((context) -> {
				assertThat(context.getBean(StockRepository.class).isLocked("42")).isTrue();
				assertThat(context.getBean(StockRepository.class).isOpen("42")).isTrue();
				assertThat(this.world.isHeld("stock:42")).isFalse();
			});
	}

	interface StockRepository {

		@RedLock("stock:#{#sku}")
		boolean isLocked(String sku);

		boolean isOpen(String sku);

	}

	private record StockRepositoryFactory(LockWorld world) implements FactoryBean<StockRepository> {

		@Override
		public StockRepository getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.setInterfaces(StockRepository.class);
			factory.addAdvice((MethodInterceptor) (call) -> {
				boolean held = this.world.isHeld("stock:" + call.getArguments()[0]);
				return call.getMethod().getName().equals("isLocked") == held;
			});
			return (StockRepository) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return StockRepository.class;
		}

	}

}
