package dev.redlock.spring.interceptor.weaving;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.interceptor.RedLockConfiguration;
import dev.redlock.spring.interceptor.weaving.WovenStock.Ticket;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/**
 * Runs in a Java process of its own, with the agent of AspectJ, and prints what it sees.
 */
final class WovenApplication {

	private WovenApplication() {
	}

	public static void main(String[] args) {
		LockWorld world = new LockWorld();
		Calls calls = new Calls(world);
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(Redlock.class, () -> world.redlock, (definition) -> definition.setDestroyMethodName(""));
		context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(world.redlock, Runnable::run));
		context.registerBean("calls", Calls.class, () -> calls);
		context.registerBean(WovenStock.class, () -> new WovenStock(calls));
		context.registerBean(Ticket.class, () -> new Ticket("42"));
		context.register(RedLockConfiguration.class, Transactions.class);
		print("before start", () -> new WovenStock(calls).selfInvocation());
		context.refresh();
		WovenStock stock = context.getBean(WovenStock.class);
		print("self-invocation", stock::selfInvocation);
		print("private", stock::privateMethod);
		print("static", WovenStock::staticMethod);
		print("final", () -> new WovenStock(calls).finalMethod("42"));
		print("meta", stock::metaAnnotated);
		print("record", context.getBean(Ticket.class)::locks);
		print("asynchronous", () -> stock.asynchronous(new CompletableFuture<>()));
		calls.count.set(0);
		print("proxy", () -> stock.throughTheProxy("42"));
		print("evaluated", calls.count::toString);
		calls.count.set(0);
		print("recursive", () -> stock.recursive(2));
		print("evaluated for each", calls.count::toString);
		context.close();
		try (AnnotationConfigApplicationContext disabled = new AnnotationConfigApplicationContext()) {
			disabled.registerBean(RedLockOperations.class, RedLockOperations::withoutLocks);
			disabled.registerBean("calls", Calls.class, () -> calls);
			disabled.register(RedLockConfiguration.class);
			disabled.refresh();
			print("disabled", () -> new WovenStock(calls).selfInvocation());
		}
		print("after close", () -> new WovenStock(calls).selfInvocation());
	}

	private static void print(String what, Call call) {
		try {
			System.out.println(what + ": " + call.call());
		}
		catch (RuntimeException ex) {
			System.out.println(what + ": " + ex);
		}
	}

	@FunctionalInterface
	private interface Call {

		String call();

	}

	static final class Calls {

		private final AtomicInteger count = new AtomicInteger();

		private final LockWorld world;

		Calls(LockWorld world) {
			this.world = world;
		}

		public String count(Object value) {
			this.count.incrementAndGet();
			return value.toString();
		}

		boolean held(String resource) {
			return this.world.isHeld(resource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

		@Bean
		DataSourceTransactionManager transactionManager() {
			return new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:woven"));
		}

	}

}
