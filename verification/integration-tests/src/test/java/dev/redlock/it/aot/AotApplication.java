package dev.redlock.it.aot;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import dev.redlock.CurrentLease;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.annotation.RedLock;
import org.awaitility.Awaitility;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * An application that is processed ahead of time. It says what its locked methods did.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class AotApplication {

	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(AotApplication.class, args)) {
			Redlock redlock = context.getBean(Redlock.class);
			Awaitility.await()
				.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
			System.out.println("nodes: " + redlock.nodes().size());
			Shelf shelf = context.getBean(Shelf.class);
			System.out.println("proxied: " + AopUtils.isCglibProxy(shelf));
			System.out.println("taken: " + shelf.take(new Item("42", 1)));
			System.out.println("counted: " + shelf.count("7"));
			System.out.println("nested: " + shelf.fallsBack(shelf));
		}
	}

	/**
	 * A lock of the application's own.
	 */
	@Retention(RetentionPolicy.RUNTIME)
	@RedLock(resource = "")
	public @interface ShelfLock {

		/**
		 * What is locked.
		 */
		@AliasFor(annotation = RedLock.class, attribute = "resource")
		String[] value();

	}

	/**
	 * What expressions read.
	 */
	public static final class Item {

		private final String sku;

		private final int amount;

		Item(String sku, int amount) {
			this.sku = sku;
			this.amount = amount;
		}

		public String getSku() {
			return this.sku;
		}

		public int getAmount() {
			return this.amount;
		}

	}

	/**
	 * A bean that expressions call.
	 */
	@Component("zones")
	public static class Zones {

		public String of(String sku) {
			return "zone-" + sku;
		}

	}

	/**
	 * The locked bean.
	 */
	@Component
	public static class Shelf {

		@ShelfLock("${shelf.name}:#{#item.sku}")
		public String take(Item item) {
			return CurrentLease.require().resources() + " " + (CurrentLease.require().fence() > 0);
		}

		@RedLock(resource = "#{@zones.of(#sku)}", condition = "#{#sku != '0'}", ttl = "${shelf.ttl:10s}")
		public String count(String sku) {
			return CurrentLease.require().resources().toString();
		}

		/**
		 * Held by the caller in another thread, so that the fallback answers.
		 */
		@RedLock(resource = "outer", ttl = "10s")
		public String fallsBack(Shelf self) {
			return java.util.concurrent.CompletableFuture.supplyAsync(self::contended).join();
		}

		@RedLock(resource = "outer", waitFor = "0", fallback = "instead")
		public String contended() {
			return "must not run";
		}

		String instead() {
			return "fallback";
		}

	}

}
