package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
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

	BLOCKING((on, ask, work) -> ScenarioCall.blocking(() -> on.stock.sell(ask.names, ask.waitFor, work)),
			(on, ask, work) -> ScenarioCall.blocking(() -> on.stock.sellTwice(ask.names, ask.waitFor, on.stock, work))),

	FUTURE((on, ask, work) -> ScenarioCall.future(on.stock.sellAsync(ask.names, ask.waitFor, work)),
			(on, ask, work) -> ScenarioCall.future(on.stock.sellTwiceAsync(ask.names, ask.waitFor, on.stock, work))),

	MONO((on, ask, work) -> ScenarioCall.publisher(on.stock.sellMono(ask.names, ask.waitFor, work)),
			(on, ask, work) -> ScenarioCall.publisher(on.stock.sellTwiceMono(ask.names, ask.waitFor, on.stock, work))),

	FLUX((on, ask, work) -> ScenarioCall.publisher(on.stock.sellFlux(ask.names, ask.waitFor, work)),
			(on, ask, work) -> ScenarioCall.publisher(on.stock.sellTwiceFlux(ask.names, ask.waitFor, on.stock, work))),

	SUSPEND((on, ask, work) -> ScenarioCall.future(Coroutines.sell(on.suspending, ask.names, ask.waitFor, work)),
			(on, ask, work) -> ScenarioCall.future(Coroutines.sellTwice(on.suspending, ask.names, ask.waitFor, work))),

	TEMPLATE_BLOCKING(
			(on, ask, work) -> ScenarioCall
				.blocking(() -> on.template.execute(ask.request(), (lease) -> ScenarioStock.await(work.get()))),
			(on, ask, work) -> ScenarioCall.blocking(() -> on.template.execute(ask.request(),
					(outer) -> on.template.execute(ask.request(), (lease) -> ScenarioStock.await(work.get()))))),

	TEMPLATE_ASYNC(
			(on, ask, work) -> ScenarioCall.future(on.template.executeAsync(ask.request(), (lease) -> work.get())),
			(on, ask,
					work) -> ScenarioCall.future(on.template.executeAsync(ask.request(),
							(outer) -> on.template.executeAsync(ask.request(), (lease) -> work.get())))),

	TEMPLATE_MONO(
			(on, ask, work) -> ScenarioCall
				.publisher(on.reactive.execute(ask.request(), (lease) -> ScenarioStock.mono(work))),
			(on, ask,
					work) -> ScenarioCall.publisher(on.reactive.execute(ask.request(),
							(outer) -> on.reactive.execute(ask.request(), (lease) -> ScenarioStock.mono(work))))),

	TEMPLATE_FLUX(
			(on, ask, work) -> ScenarioCall
				.publisher(on.reactive.executeMany(ask.request(), (lease) -> ScenarioStock.mono(work))),
			(on, ask, work) -> ScenarioCall.publisher(on.reactive.executeMany(ask.request(),
					(outer) -> on.reactive.executeMany(ask.request(), (lease) -> ScenarioStock.mono(work)))));

	private final Start plain;

	private final Start nested;

	MethodKind(Start plain, Start nested) {
		this.plain = plain;
		this.nested = nested;
	}

	/**
	 * Starts a call.
	 */
	ScenarioCall start(Beans beans, Ask ask, Supplier<CompletionStage<String>> work) {
		return this.plain.start(beans, ask, work);
	}

	/**
	 * Starts a call that runs the work in another call of its kind.
	 */
	ScenarioCall startNested(Beans beans, Ask ask, Supplier<CompletionStage<String>> work) {
		return this.nested.start(beans, ask, work);
	}

	record Beans(ScenarioStock stock, SuspendingStock suspending, RedLockTemplate template,
			ReactiveRedLockTemplate reactive) {

	}

	record Ask(List<String> names, Duration waitFor) {

		LockRequest request() {
			return LockRequest.of(this.names.toArray(String[]::new)).withWaitFor(this.waitFor);
		}

	}

	@FunctionalInterface
	private interface Start {

		ScenarioCall start(Beans on, Ask ask, Supplier<CompletionStage<String>> work);

	}

}
