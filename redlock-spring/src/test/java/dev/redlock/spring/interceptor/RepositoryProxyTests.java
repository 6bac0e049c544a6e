package dev.redlock.spring.interceptor;

import java.util.function.Predicate;

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
			.withBean(Repository.class,
					() -> new Repository<>(StockRepository.class, (sku) -> this.world.isHeld("stock:" + sku)))
			.run((context) -> {
				assertThat(context.getBean(StockRepository.class).isLocked("42")).isTrue();
				assertThat(this.world.isHeld("stock:42")).isFalse();
			});
	}

	@Test
	void anAnnotationOnTheTypeOfARepositoryLocksAllItsMethods() {
		LockedContexts.runner(this.world)
			.withBean(Repository.class,
					() -> new Repository<>(ItemRepository.class, (sku) -> this.world.isHeld("item:" + sku)))
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

	private record Repository<T>(Class<T> type, Predicate<Object> isLocked) implements FactoryBean<T> {

		@Override
		public T getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new Object());
			factory.setInterfaces(this.type);
			factory.addAdvice((MethodInterceptor) (call) -> this.isLocked.test(call.getArguments()[0]));
			return this.type.cast(factory.getProxy());
		}

		@Override
		public Class<?> getObjectType() {
			return this.type;
		}

	}

}
