package dev.redlock.spring.interceptor;

import java.lang.reflect.InvocationHandler;

import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.ProxyMethodInvocation;
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
				assertThat(this.world.isHeld("stock:42")).isFalse();
			});
	}

	@Test
	void anAnnotationOnTheTypeOfARepositoryLocksAllItsMethods() {
		LockedContexts.runner(this.world)
			.withBean(ItemRepositoryFactory.class, () -> new ItemRepositoryFactory(this.world))
			.run((context) -> {
				assertThat(context.getBean(ItemRepository.class).isLocked("42")).isTrue();
				assertThat(context.getBean(ItemRepository.class).isLockedToo("42")).as("inherited").isTrue();
				assertThat(this.world.isHeld("item:42")).isFalse();
			});
	}

	@Test
	void anAnnotationOnTheTypeOfAClientWithoutATargetLocksAllItsMethods() {
		ItemRepository client = ProxyFactory.getProxy(ItemRepository.class,
				(MethodInterceptor) (call) -> this.world.isHeld("item:" + call.getArguments()[0]));
		LockedContexts.runner(this.world).withBean(ItemRepository.class, () -> client).run((context) -> {
			assertThat(context.getBean(ItemRepository.class).isLocked("42")).isTrue();
			assertThat(context.getBean(ItemRepository.class).isLockedToo("42")).as("inherited").isTrue();
			assertThat(this.world.isHeld("item:42")).isFalse();
		});
	}

	interface StockRepository {

		@RedLock("stock:#{#sku}")
		boolean isLocked(String sku);

	}

	interface Readable {

		boolean isLockedToo(String sku);

	}

	@RedLock("item:#{#sku}")
	interface ItemRepository extends Readable {

		boolean isLocked(String sku);

	}

	private record ItemRepositoryFactory(LockWorld world) implements FactoryBean<ItemRepository> {

		@Override
		public ItemRepository getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.setInterfaces(ItemRepository.class);
			factory.addAdvice((MethodInterceptor) (call) -> this.world.isHeld("item:" + call.getArguments()[0]));
			return (ItemRepository) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return ItemRepository.class;
		}

	}

	private record StockRepositoryFactory(LockWorld world) implements FactoryBean<StockRepository> {

		@Override
		public StockRepository getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.setInterfaces(StockRepository.class);
			factory.addAdvice((MethodInterceptor) (call) -> {
				if (call.getMethod().isDefault()) {
					return InvocationHandler.invokeDefault(((ProxyMethodInvocation) call).getProxy(), call.getMethod(),
							call.getArguments());
				}
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
