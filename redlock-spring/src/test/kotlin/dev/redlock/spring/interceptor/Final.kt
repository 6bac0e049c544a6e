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
