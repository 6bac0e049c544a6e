package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import reactor.core.publisher.Mono;

/**
 * The kinds of calls that run under a lock, behind one face.
 */
enum MethodKind {

	BLOCKING((on, ask, work) -> ScenarioCall.blocking(() -> on.stock.sell(ask.names, on.stock, work))),

	FUTURE((on, ask, work) -> ScenarioCall.held(() -> on.stock.sellAsync(ask.names, on.stock, work))),

	MONO((on, ask, work) -> ScenarioCall.publisher(on.stock.sellMono(ask.names, on.stock, work))),

	SUSPEND((on, ask, work) -> ScenarioCall.future(Coroutines.sell(on.suspending, ask.names, work))),

	TEMPLATE_BLOCKING((on, ask, work) -> ScenarioCall.blocking(() -> blocking(on.template, ask, work))),

	TEMPLATE_ASYNC((on, ask, work) -> ScenarioCall.future(async(on.template, ask, work))),

	TEMPLATE_MONO((on, ask, work) -> ScenarioCall.publisher(mono(on.reactive, ask, work)));

	private final Start start;

	MethodKind(Start start) {
		this.start = start;
	}

	/**
	 * Starts a call, and those inside of it.
	 */
	ScenarioCall start(Beans beans, Ask ask, Supplier<CompletionStage<String>> work) {
		return this.start.start(beans, ask, work);
	}

	private static String blocking(RedLockTemplate template, Ask ask, Supplier<CompletionStage<String>> work) {
		return template.execute(ask.request(),
				(lease) -> ask.isInnermost() ? ScenarioStock.await(work.get()) : blocking(template, ask.inner(), work));
	}

	private static CompletableFuture<String> async(RedLockTemplate template, Ask ask,
			Supplier<CompletionStage<String>> work) {
		return template.executeAsync(ask.request(),
				(lease) -> ask.isInnermost() ? work.get() : async(template, ask.inner(), work));
	}

	private static Mono<String> mono(ReactiveRedLockTemplate template, Ask ask,
			Supplier<CompletionStage<String>> work) {
		return template.execute(ask.request(),
				(lease) -> ask.isInnermost() ? ScenarioStock.mono(work) : mono(template, ask.inner(), work));
	}

	record Beans(ScenarioStock stock, SuspendingStock suspending, RedLockTemplate template,
			ReactiveRedLockTemplate reactive) {

	}

	/**
	 * The names of a call, and of each call inside of it.
	 */
	record Ask(List<List<String>> names, Duration waitFor) {

		LockRequest request() {
			return LockRequest.of(this.names.get(0).toArray(String[]::new)).withWaitFor(this.waitFor);
		}

		boolean isInnermost() {
			return this.names.size() == 1;
		}

		Ask inner() {
			return new Ask(ScenarioStock.inner(this.names), this.waitFor);
		}

	}

	@FunctionalInterface
	private interface Start {

		ScenarioCall start(Beans on, Ask ask, Supplier<CompletionStage<String>> work);

	}

}
