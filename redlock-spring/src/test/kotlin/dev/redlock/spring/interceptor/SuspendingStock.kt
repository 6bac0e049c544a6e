package dev.redlock.spring.interceptor

import java.util.Optional
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.function.Supplier

import dev.redlock.CurrentLease
import dev.redlock.LockNotAcquiredException
import dev.redlock.spring.annotation.RedLock
import dev.redlock.spring.template.ReactiveCurrentLease
import dev.redlock.spring.template.RedLockAssert
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.withContext
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

import org.springframework.transaction.annotation.Propagation
import org.springframework.transaction.annotation.Transactional

/**
 * A bean with suspending functions that are locked.
 */
open class SuspendingStock {

	private val time = "later "

	@RedLock(resource = ["#{#names[0]}"], waitFor = "\${wait:0}")
	open suspend fun sell(
		names: List<List<String>>, proxy: SuspendingStock, work: Supplier<CompletionStage<String>>
	): String {
		if (names.size > 1) {
			return proxy.sell(names.drop(1), proxy, work)
		}
		val lease = ReactiveCurrentLease.require().awaitSingleOrNull()!!
		return CurrentLease.open(lease).use { work.get() }.await()
	}

	/** The names of the leases that blocking code finds, at each step of the function. */
	@RedLock(resource = ["stock:#{#skus[0]}"], waitFor = "0")
	open suspend fun seen(skus: List<String>, proxy: SuspendingStock, gate: CompletionStage<String>): List<String> {
		RedLockAssert.assertLocked("stock:" + skus[0])
		val seen = mutableListOf(names())
		if (skus.size > 1) {
			seen.addAll(proxy.seen(skus.drop(1), proxy, gate))
		}
		else {
			gate.await()
		}
		seen.add(names())
		return seen + withContext(Dispatchers.Default) { names() }
	}

	private fun names() = CurrentLease.all().joinToString { it.resources().toString() }

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open suspend fun inTransactions(sku: String, transactions: SuspendingTransactions, work: SuspendingStock): String =
		transactions.first { transactions.another { work.resources(sku) } }

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open suspend fun inOneTransaction(sku: String, transactions: SuspendingTransactions, work: SuspendingStock): String =
		transactions.first { work.resources(sku) }

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open suspend fun resources(sku: String): String =
		ReactiveCurrentLease.require().awaitSingleOrNull()!!.resources().toString() + sku

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0", onFailure = RedLock.OnFailure.SKIP)
	open suspend fun skip(sku: String): String? = sku

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0", onFailure = RedLock.OnFailure.SKIP)
	open suspend fun skipUnit(sku: String) {
		check(sku.isEmpty()) { "must not run" }
	}

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0", fallback = "later")
	open suspend fun fall(sku: String): String = sku

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0", fallback = "explain")
	open suspend fun fallWithReason(sku: String): String = sku

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open fun flowOf(sku: String, gate: CompletionStage<String>): Flow<String> = flow {
		emit(sku)
		emit(gate.await())
	}

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open suspend fun suspendedFlowOf(sku: String, gate: CompletionStage<String>): Flow<String> = flowOfNothing(sku, gate)

	private fun flowOfNothing(sku: String, gate: CompletionStage<String>): Flow<String> = flow {
		emit(sku)
		emit(gate.await())
	}

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open suspend fun finish(sku: String, gate: CompletionStage<String>): String = withContext(NonCancellable) {
		gate.await()
		sku
	}

	@RedLock(resource = ["stock:#{#sku}"], waitFor = "0")
	open fun finishingFlow(sku: String, gate: CompletionStage<String>): Flow<String> = flow {
		emit(finish(sku, gate))
	}

	private suspend fun later(sku: String): String =
		time + CompletableFuture.completedFuture(sku).await()

	private suspend fun explain(sku: String, failure: LockNotAcquiredException): String =
		CompletableFuture.completedFuture(sku).await() + " is " + failure.reason()

}

/**
 * Transactions of suspending functions.
 */
open class SuspendingTransactions {

	@Transactional
	open suspend fun first(work: suspend () -> String): String = work()

	@Transactional(propagation = Propagation.REQUIRES_NEW)
	open suspend fun another(work: suspend () -> String): String = work()

}

/**
 * A bean that must not start.
 */
open class SuspendingMistakes {

	@RedLock(resource = ["x"], onFailure = RedLock.OnFailure.SKIP)
	open suspend fun skipOfNonNull(sku: String): String = sku

}

/**
 * Suspending functions whose work goes on after they have returned.
 */
open class SuspendingReturnTypes {

	@RedLock(resource = ["x"])
	open suspend fun future(): CompletableFuture<String> = CompletableFuture()

	@RedLock(resource = ["x"])
	open suspend fun stage(): CompletionStage<String> = CompletableFuture()

	@RedLock(resource = ["x"])
	open suspend fun deferred(): Deferred<String> = CompletableDeferred()

	@RedLock(resource = ["x"])
	open suspend fun flux(): Flux<String> = Flux.never()

	@RedLock(resource = ["x"])
	open suspend fun mono(): Mono<String> = Mono.never()

	@RedLock(resource = ["x"])
	open suspend fun stateFlow(): StateFlow<String> = MutableStateFlow("")

	@RedLock(resource = ["x"])
	open suspend fun flowInOptional(): Optional<Flow<String>> = Optional.empty()

	@RedLock(resource = ["x"])
	open suspend fun sequence(): Sequence<String> = emptySequence()

	@RedLock(resource = ["x"])
	open suspend fun lambda(): () -> String = { "" }

}

/**
 * A suspending function that does not say what it returns.
 */
abstract class SuspendingLoader<T> {

	@RedLock(resource = ["x"])
	open suspend fun load(): T? = null

}

open class LoaderOfValues : SuspendingLoader<String>()

open class LoaderOfFutures : SuspendingLoader<CompletableFuture<String>>()

open class LoaderOfFlows : SuspendingLoader<Flow<String>>()

/**
 * Calls suspending functions on behalf of tests in Java. To cancel the future is to
 * cancel the coroutine.
 */
object Coroutines {

	private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Unconfined)

	@JvmStatic
	fun sell(
		stock: SuspendingStock, names: List<List<String>>, work: Supplier<CompletionStage<String>>
	): CompletableFuture<String> = scope.future { stock.sell(names, stock, work) }

	@JvmStatic
	fun seen(
		stock: SuspendingStock, skus: List<String>, gate: CompletionStage<String>
	): CompletableFuture<List<String>> = scope.future { stock.seen(skus, stock, gate) }

	@JvmStatic
	fun inTransactions(stock: SuspendingStock, sku: String, transactions: SuspendingTransactions):
		CompletableFuture<String> = scope.future { stock.inTransactions(sku, transactions, stock) }

	@JvmStatic
	fun inOneTransaction(stock: SuspendingStock, sku: String, transactions: SuspendingTransactions):
		CompletableFuture<String> = scope.future { stock.inOneTransaction(sku, transactions, stock) }

	@JvmStatic
	fun resources(stock: SuspendingStock, sku: String): CompletableFuture<String> =
		scope.future { stock.resources(sku) }

	@JvmStatic
	fun skip(stock: SuspendingStock, sku: String): CompletableFuture<String?> =
		scope.future { stock.skip(sku) }

	@JvmStatic
	fun skipUnit(stock: SuspendingStock, sku: String): CompletableFuture<String> = scope.future {
		stock.skipUnit(sku)
		"skipped"
	}

	@JvmStatic
	fun fall(stock: SuspendingStock, sku: String): CompletableFuture<String> =
		scope.future { stock.fall(sku) + ", " + stock.fallWithReason(sku) }

	@JvmStatic
	fun finish(stock: SuspendingStock, sku: String, gate: CompletionStage<String>): CompletableFuture<String> =
		scope.future { stock.finish(sku, gate) }

	@JvmStatic
	fun finishingFlow(stock: SuspendingStock, sku: String, gate: CompletionStage<String>):
		CompletableFuture<List<String>> = scope.future { stock.finishingFlow(sku, gate).toList() }

	@JvmStatic
	fun flowOf(stock: SuspendingStock, sku: String, gate: CompletionStage<String>): CompletableFuture<List<String>> =
		scope.future { stock.flowOf(sku, gate).toList() }

	@JvmStatic
	fun suspendedFlowOf(
		stock: SuspendingStock, sku: String, gate: CompletionStage<String>
	): CompletableFuture<List<String>> = scope.future { stock.suspendedFlowOf(sku, gate).toList() }

}
