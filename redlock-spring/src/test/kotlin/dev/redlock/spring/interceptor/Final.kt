package dev.redlock.spring.interceptor

import dev.redlock.spring.annotation.RedLock

/**
 * A class that is final because Kotlin's are.
 */
class FinalKotlinClass {

	@RedLock("x")
	fun sell(sku: String) = sku

}

/**
 * An open class, whose functions are final nevertheless.
 */
open class FinalKotlinFunction {

	@RedLock("x")
	fun sell(sku: String) = sku

}

/**
 * An open function, with final overloads that Kotlin generates.
 */
open class OverloadedKotlinFunction {

	@RedLock("x")
	@JvmOverloads
	open fun sell(sku: String, quantity: Int = 1) = sku.repeat(quantity)

}

/**
 * Functions that never return null, so that a skipped call would break Kotlin's types.
 */
open class SkippedKotlinFunction {

	@RedLock(resource = ["x"], onFailure = RedLock.OnFailure.SKIP)
	open fun text(): String = "text"

}

/**
 * Functions whose skipped calls may return null, or nothing.
 */
open class NullableKotlinFunctions {

	@RedLock(resource = ["x"], onFailure = RedLock.OnFailure.SKIP)
	open fun text(): String? = "text"

	@RedLock(resource = ["x"], onFailure = RedLock.OnFailure.SKIP)
	open fun work() {
	}

	@RedLock(resource = ["x"], onFailure = RedLock.OnFailure.SKIP)
	open fun optional(): java.util.Optional<String> = java.util.Optional.of("text")

}
