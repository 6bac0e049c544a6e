package dev.redlock.spring.interceptor;

import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/**
 * A method of a controller holds its lock until Spring MVC has done the work of its
 * result.
 */
class HeldRequestTests {

	private final LockWorld world = new LockWorld();

	private final Work work = new Work();

	@ParameterizedTest
	@ValueSource(strings = { "/callable", "/task", "/body", "/response" })
	void lockIsHeldUntilMvcHasRunTheWork(String path) {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get(path)).andReturn();
			assertThat(result.getRequest().isAsyncStarted()).isTrue();
			this.work.started.await(10, TimeUnit.SECONDS);
			assertThat(this.world.isHeld("x")).isTrue();
			this.work.mayEnd.countDown();
			result.getAsyncResult(10_000);
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/deferred", "/emitter", "/events", "/eventResponse" })
	void lockIsHeldUntilTheResultIsThere(String path) {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get(path)).andReturn();
			assertThat(result.getRequest().isAsyncStarted()).isTrue();
			assertThat(this.world.isHeld("x")).isTrue();
			this.work.complete.run();
			result.getAsyncResult(10_000);
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/deferred", "/emitter" })
	void lockIsReleasedWhenTheRequestEndsWithoutAResult(String path) {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get(path)).andReturn();
			assertThat(this.world.isHeld("x")).isTrue();
			((MockAsyncContext) result.getRequest().getAsyncContext()).complete();
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void workThatOutlivesItsRequestKeepsTheLockUntilItHasEnded() {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get("/callable")).andReturn();
			this.work.started.await(10, TimeUnit.SECONDS);
			((MockAsyncContext) result.getRequest().getAsyncContext()).complete();
			assertThat(this.world.isHeld("x")).isTrue();
			this.work.mayEnd.countDown();
			this.work.thread.join(Duration.ofSeconds(10).toMillis());
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void resultThatMvcNeverGetsReleasesTheLockWhenTheRequestWasDispatched() {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get("/dropped")).andReturn();
			assertThat(result.getResponse().getContentAsString()).isEqualTo("held: true");
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void exceptionOfTheMethodReleasesTheLock() {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get("/failing")).andReturn();
			assertThat(result.getRequest().isAsyncStarted()).isFalse();
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void lossOfTheLockIsTheResultOfTheRequest() {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get("/deferred")).andReturn();
			this.world.time.advance(LockWorld.TOO_LONG);
			this.work.complete.run();
			assertThat(WebAsyncUtils.getAsyncManager(result.getRequest()).getConcurrentResult())
				.isInstanceOf(LockLostException.class);
		});
	}

	@Test
	void failureOfTheWorkWinsOverTheLossOfTheLock() {
		with((mvc, shop) -> {
			MvcResult result = mvc.perform(get("/deferred")).andReturn();
			this.world.time.advance(LockWorld.TOO_LONG);
			this.work.fail.run();
			Object outcome = WebAsyncUtils.getAsyncManager(result.getRequest()).getConcurrentResult();
			assertThat(outcome).isInstanceOf(IllegalArgumentException.class);
			assertThat(((Throwable) outcome).getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
		});
	}

	@Test
	void callableThatStartsAfterTheEndOfItsRequestDoesNotRunWithoutTheLock() {
		WebRequestHold hold = new WebRequestHold(Optional::empty);
		NativeWebRequest request = new ServletWebRequest(new MockHttpServletRequest());
		Callable<String> task = () -> "sold";
		hold.afterCompletion(request, task);
		assertThatIllegalStateException().isThrownBy(() -> hold.preProcess(request, task));
	}

	@Test
	void callWithoutARequestIsRefused() {
		with((mvc, shop) -> {
			assertThatIllegalStateException().isThrownBy(shop::deferred)
				.withMessageStartingWith("There is no request of Spring MVC");
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	private void with(Scenario test) {
		LockedContexts.runner(this.world)
			.withBean(LockWorld.class, () -> this.world)
			.withBean(Work.class, () -> this.work)
			.withBean(Shop.class)
			.withBean(Caller.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				test.run(mvc(context), context.getBean(Shop.class));
			});
	}

	private static MockMvc mvc(ApplicationContext context) {
		return MockMvcBuilders.standaloneSetup(context.getBean(Shop.class), context.getBean(Caller.class))
			.setControllerAdvice(new Failures())
			.build();
	}

	@FunctionalInterface
	interface Scenario {

		void run(MockMvc mvc, Shop shop) throws Exception;

	}

	/**
	 * The work of a request, which the test lets end.
	 */
	static final class Work {

		final CountDownLatch started = new CountDownLatch(1);

		final CountDownLatch mayEnd = new CountDownLatch(1);

		volatile Thread thread;

		volatile Runnable complete;

		volatile Runnable fail;

		String call() throws InterruptedException {
			this.thread = Thread.currentThread();
			this.started.countDown();
			assertThat(this.mayEnd.await(10, TimeUnit.SECONDS)).isTrue();
			return "sold";
		}

		void write(OutputStream body) {
			try {
				body.write(call().getBytes());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	@RestController
	static class Shop {

		private final Work work;

		Shop(Work work) {
			this.work = work;
		}

		@GetMapping("/callable")
		@RedLock("x")
		public Callable<String> callable() {
			return this.work::call;
		}

		@GetMapping("/task")
		@RedLock("x")
		public WebAsyncTask<String> task() {
			return new WebAsyncTask<>(this.work::call);
		}

		@GetMapping("/body")
		@RedLock("x")
		public StreamingResponseBody body() {
			return this.work::write;
		}

		@GetMapping("/response")
		@RedLock("x")
		public ResponseEntity<StreamingResponseBody> response() {
			return ResponseEntity.ok(this.work::write);
		}

		@GetMapping("/deferred")
		@RedLock("x")
		public DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			this.work.complete = () -> result.setResult("sold");
			this.work.fail = () -> result.setErrorResult(new IllegalArgumentException("of the work"));
			return result;
		}

		@GetMapping("/emitter")
		@RedLock("x")
		public ResponseBodyEmitter emitter() {
			return completed(new ResponseBodyEmitter());
		}

		@GetMapping("/events")
		@RedLock("x")
		public SseEmitter events() {
			return completed(new SseEmitter());
		}

		@GetMapping("/eventResponse")
		@RedLock("x")
		public ResponseEntity<SseEmitter> eventResponse() {
			return ResponseEntity.ok(completed(new SseEmitter()));
		}

		@GetMapping("/failing")
		@RedLock("x")
		public Callable<String> failing() {
			throw new IllegalArgumentException("of the method");
		}

		private <E extends ResponseBodyEmitter> E completed(E emitter) {
			this.work.complete = emitter::complete;
			return emitter;
		}

	}

	/**
	 * Calls a method of the controller and drops its result.
	 */
	@RestController
	static class Caller {

		private final Shop shop;

		private final LockWorld world;

		Caller(Shop shop, LockWorld world) {
			this.shop = shop;
			this.world = world;
		}

		@GetMapping("/dropped")
		public String dropped() {
			this.shop.deferred();
			return "held: " + this.world.isHeld("x");
		}

	}

	@RestControllerAdvice
	static class Failures {

		@ExceptionHandler(IllegalArgumentException.class)
		ResponseEntity<String> failed(IllegalArgumentException ex) {
			return ResponseEntity.internalServerError().body(ex.getMessage());
		}

	}

}
