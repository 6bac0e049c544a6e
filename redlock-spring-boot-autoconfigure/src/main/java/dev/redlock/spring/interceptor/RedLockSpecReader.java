package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.spring.annotation.RedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringUtils;

/**
 * Reads an annotation, and refuses what cannot mean what it says.
 */
final class RedLockSpecReader {

	/**
	 * Stands for names that are only known when the method is called.
	 */
	private static final String ANY_RESOURCE = "any";

	private final LockTextParser parser;

	private final LockInvokers invokers;

	RedLockSpecReader(ConfigurableBeanFactory beanFactory) {
		this.parser = new LockTextParser(beanFactory);
		this.invokers = new LockInvokers(beanFactory);
	}

	RedLockSpec read(AnnotatedMethod method) {
		LockInvoker invoker = this.invokers.forMethod(method);
		RedLockSpec.Times times = new RedLockSpec.Times(duration(method, "ttl", LockDuration.MORE_THAN_ZERO),
				duration(method, "waitFor", LockDuration.ZERO_OR_MORE),
				duration(method, "retryDelay", LockDuration.A_MILLISECOND),
				duration(method, "maxHold", LockDuration.MORE_THAN_ZERO),
				duration(method, "atLeast", LockDuration.ZERO_OR_MORE));
		return new RedLockSpec(method, method.parameters(), resources(method), condition(method), times,
				constants(method, times), invoker, onFailure(method));
	}

	private List<LockText> resources(AnnotatedMethod method) {
		String[] resources = method.annotation().getStringArray("resource");
		if (resources.length == 0) {
			throw blankResource(method);
		}
		return Arrays.stream(resources).map((resource) -> resource(method, resource)).toList();
	}

	private LockText resource(AnnotatedMethod method, String resource) {
		if (resource.isBlank() || this.parser.resolve(method, "resource", resource).isBlank()) {
			throw blankResource(method);
		}
		return this.parser.parse(method, "resource", resource);
	}

	private @Nullable LockText condition(AnnotatedMethod method) {
		String condition = method.annotation().getString("condition");
		boolean always = this.parser.resolve(method, "condition", condition).isBlank();
		return always ? null : this.parser.parseExpression(method, "condition", condition);
	}

	private LockDuration duration(AnnotatedMethod method, String attribute, Duration minimum) {
		String text = method.annotation().getString(attribute);
		LockText parsed = this.parser.parse(method, attribute, text);
		return parsed.text().isBlank() ? LockDuration.none() : LockDuration.of(parsed, minimum);
	}

	private LockRequest constants(AnnotatedMethod method, RedLockSpec.Times times) {
		MergedAnnotation<RedLock> annotation = method.annotation();
		return LockRequest.of(ANY_RESOURCE)
			.withTtl(times.ttl().constant())
			.withWaitFor(times.waitFor().constant())
			.withRetryCount(retryCount(method))
			.withRetryDelay(times.retryDelay().constant())
			.withClockDriftFactor(clockDriftFactor(method))
			.withInstances(instances(method).toArray(String[]::new))
			.withRenew(renew(method, times))
			.withMaxHold(times.maxHold().constant())
			.withAtLeast(Objects.requireNonNullElse(times.atLeast().constant(), Duration.ZERO))
			.withOnLoss(switch (annotation.getEnum("onLoss", RedLock.OnLoss.class)) {
				case THROW -> LossPolicy.THROW;
				case INTERRUPT -> LossPolicy.INTERRUPT;
				case IGNORE -> LossPolicy.IGNORE;
			})
			.withOrigin(method.shortName());
	}

	private @Nullable Integer retryCount(AnnotatedMethod method) {
		int count = method.annotation().getInt("retryCount");
		if (count == RedLock.DEFAULT_RETRY_COUNT) {
			return null;
		}
		if (count < -1) {
			throw new InvalidRedLockException(method, "retryCount", count + " is no number of retries.",
					"Write 0 or more, or -1 for no limit.");
		}
		return count;
	}

	private @Nullable Double clockDriftFactor(AnnotatedMethod method) {
		double factor = method.annotation().getDouble("clockDriftFactor");
		if (factor == RedLock.DEFAULT_CLOCK_DRIFT_FACTOR) {
			return null;
		}
		if (!(factor >= 0 && factor < 1)) {
			throw new InvalidRedLockException(method, "clockDriftFactor", factor + " is no share of the ttl.",
					"Write a number from 0 to below 1, such as 0.01.");
		}
		return factor;
	}

	private Set<String> instances(AnnotatedMethod method) {
		Set<String> names = new LinkedHashSet<>();
		for (String instance : method.annotation().getStringArray("instances")) {
			String name = this.parser.resolve(method, "instances", instance);
			if (name.isBlank()) {
				throw new InvalidRedLockException(method, "instances", "a name is blank.",
						"Write names from redlock.instances, or none for all of them.");
			}
			names.add(name);
		}
		return names;
	}

	private static @Nullable Boolean renew(AnnotatedMethod method, RedLockSpec.Times times) {
		RedLock.Renew renew = method.annotation().getEnum("renew", RedLock.Renew.class);
		if (renew == RedLock.Renew.OFF && times.maxHold().text() != null) {
			throw new InvalidRedLockException(method, "maxHold", "it limits renewal, and renew is OFF.",
					"Leave one of them out.");
		}
		return (renew == RedLock.Renew.DEFAULT) ? null : renew == RedLock.Renew.ON;
	}

	private FailureHandler onFailure(AnnotatedMethod method) {
		String fallback = method.annotation().getString("fallback");
		RedLock.OnFailure onFailure = method.annotation().getEnum("onFailure", RedLock.OnFailure.class);
		boolean skip = onFailure != RedLock.OnFailure.THROW;
		if (skip && StringUtils.hasText(fallback)) {
			throw new InvalidRedLockException(method, "fallback",
					"onFailure is " + onFailure + ", so it is never called.", "Leave one of them out.");
		}
		if (StringUtils.hasText(fallback)) {
			return FallbackMethod.find(method, fallback.strip());
		}
		if (!skip) {
			return FailureHandler.THROW;
		}
		if (!Skip.isPossible(method.method())) {
			throw new InvalidRedLockException(
					method, "onFailure", "it is " + onFailure + ", and the return type "
							+ method.method().getReturnType().getTypeName() + " has no value for nothing.",
					"Return an Optional or a wrapper type, or let it throw.");
		}
		return new Skip(method, onFailure == RedLock.OnFailure.SKIP_ALWAYS);
	}

	private static InvalidRedLockException blankResource(AnnotatedMethod method) {
		return new InvalidRedLockException(method, "resource", "it is blank, and there is no default.",
				"Name what is locked, as in resource = \"stock:#{#sku}\".");
	}

}
