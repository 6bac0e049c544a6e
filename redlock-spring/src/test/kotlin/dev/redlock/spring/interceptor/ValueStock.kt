package dev.redlock.spring.interceptor

import dev.redlock.spring.annotation.RedLock

/**
 * A class that Kotlin compiles to its property, except in lists and for null.
 */
@JvmInline
value class Sku(val text: String)

/**
 * A bean with names that are made of value classes.
 */
open class ValueStock {

	@RedLock("stock:#{#skus[0]}")
	open fun first(skus: List<Sku>) = skus.size

	@RedLock("#{#skus}")
	open fun all(skus: List<Sku>) = skus

	@RedLock("stock:#{#skus[0].text}")
	open fun property(skus: List<Sku>) = skus

	@RedLock("#{#skus}")
	open fun missing(skus: List<Sku?>) = skus

	companion object {

		@JvmStatic
		fun skus(vararg texts: String?): List<Sku?> = texts.map { it?.let(::Sku) }

	}

}
