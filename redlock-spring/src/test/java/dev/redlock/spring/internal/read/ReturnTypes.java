package dev.redlock.spring.internal.read;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.redlock.spring.annotation.RedLock;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import kotlin.jvm.functions.Function0;
import kotlin.sequences.Sequence;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.Job;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Page;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * One method for each return type. Only the types count: no method is called.
 */
@RedLock("x")
interface ReturnTypes {

	void nothing();

	int number();

	String text();

	List<String> list();

	Optional<String> optional();

	Page<String> page();

	ResponseEntity<String> response();

	Object any();

	CompletableFuture<String> future();

	CompletionStage<String> stage();

	Mono<String> mono();

	Flux<String> flux();

	Publisher<String> publisher();

	Flow.Publisher<String> jdkPublisher();

	Flowable<String> flowable();

	Observable<String> observable();

	Single<String> single();

	Maybe<String> maybe();

	Completable completable();

	Deferred<String> deferred();

	Stream<String> stream();

	IntStream ints();

	LongStream longs();

	DoubleStream doubles();

	BaseStream<String, ?> base();

	Future<String> plainFuture();

	FutureTask<String> futureTask();

	Callable<String> callable();

	Runnable runnable();

	Supplier<String> supplier();

	Function0<String> function0();

	Iterator<String> iterator();

	Spliterator<String> spliterator();

	Sequence<String> sequence();

	Job job();

	WebAsyncTask<String> webAsyncTask();

	DeferredResult<String> deferredResult();

	StreamingResponseBody streamingBody();

	ResponseBodyEmitter emitter();

	SseEmitter events();

	ServerResponse serverResponse();

	Optional<Stream<String>> optionalStream();

	CompletableFuture<Stream<String>> futureOfStream();

	Mono<Iterator<String>> monoOfIterator();

	ResponseEntity<Flux<String>> responseOfFlux();

	ResponseEntity<CompletableFuture<String>> responseOfFuture();

	ResponseEntity<Single<String>> responseOfSingle();

}
