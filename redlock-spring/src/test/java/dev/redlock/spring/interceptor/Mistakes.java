package dev.redlock.spring.interceptor;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import dev.redlock.spring.annotation.RedLock;

/**
 * Beans that must not start.
 */
final class Mistakes {

	private Mistakes() {
	}

	static class BlankResource {

		@RedLock(" ")
		public void sell(String sku) {
		}

	}

	static class UnknownPlaceholder {

		@RedLock("${nowhere}")
		public void sell(String sku) {
		}

	}

	static class VariableAmongQuotes {

		@RedLock("'order:' + #id")
		public void sell(String id) {
		}

	}

	static class UnknownVariable {

		@RedLock("stock:#{#skuu}")
		public void sell(String sku) {
		}

	}

	static class VariableWithoutBrace {

		@RedLock("stock:#sku")
		public void sell(String sku) {
		}

	}

	static class TypeReference {

		@RedLock("#{T(java.lang.Runtime).getRuntime()}")
		public void sell(String sku) {
		}

	}

	static class UnknownBean {

		@RedLock("#{@nowhere.name}")
		public void sell(String sku) {
		}

	}

	static class NameWithoutHash {

		@RedLock(resource = "x", condition = "count > 1")
		public void sell(int count) {
		}

	}

	static class UnparsableTtl {

		@RedLock(resource = "x", ttl = "ten seconds")
		public void sell(String sku) {
		}

	}

	static class TtlOverMaximum {

		@RedLock(resource = "x", ttl = "1h")
		public void sell(String sku) {
		}

	}

	static class TwoMistakes {

		@RedLock(resource = "x", ttl = "1h")
		public void sell(String sku) {
		}

		@RedLock(resource = "x", ttl = "2h")
		public void buy(String sku) {
		}

	}

	static class PermitsOfTwo {

		@RedLock(resource = { "x", "y" }, permits = 2)
		public void work() {
		}

	}

	static class TwoNumbers {

		@RedLock(resource = "x", permits = 2)
		public void work() {
		}

		@RedLock(resource = "x", permits = 3)
		public void more() {
		}

	}

	static class OtherInstances {

		@RedLock(resource = "x", instances = { "a", "b", "c" })
		public void work() {
		}

		@RedLock(resource = "x", instances = "${none:a}")
		public void more() {
		}

	}

	static class MaxHoldWithoutRenew {

		@RedLock(resource = "x", maxHold = "1m", renew = RedLock.Renew.OFF)
		public void sell(String sku) {
		}

	}

	static class ParameterInBraces {

		@RedLock("x:{order}")
		public void sell(String order) {
		}

	}

	static class WaitOfFive {

		@RedLock(resource = "x", waitFor = "5")
		public void sell(String sku) {
		}

	}

	static class SkipOfPrimitive {

		@RedLock(resource = "x", onFailure = RedLock.OnFailure.SKIP)
		public int sell(String sku) {
			return 1;
		}

	}

	static class SkipAndFallback {

		@RedLock(resource = "x", onFailure = RedLock.OnFailure.SKIP, fallback = "other")
		public void sell(String sku) {
		}

		void other(String sku) {
		}

	}

	static class MissingFallback {

		@RedLock(resource = "x", fallback = "nowhere")
		public void sell(String sku) {
		}

	}

	static class WrongFallbackType {

		@RedLock(resource = "x", fallback = "other")
		public String sell(String sku) {
			return sku;
		}

		int other(String sku) {
			return 1;
		}

	}

	static class ParameterNamedRoot {

		@RedLock("tree:#{#root}")
		public void prune(String root) {
		}

	}

	static class LockedFallback {

		@RedLock(resource = "x", fallback = "instead")
		public void sell(String sku) {
		}

		@RedLock("y")
		public void instead(String sku) {
		}

	}

	static class TwoAnnotations {

		@RedLock("audit")
		@StockLock
		public void sell(String sku) {
		}

	}

	static class TwoConditions {

		@RedLock(resource = "x", condition = "#{#a} and #{#b}")
		public void sell(boolean a, boolean b) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RedLock("stock:#{#sku}")
	@interface StockLock {

	}

}
