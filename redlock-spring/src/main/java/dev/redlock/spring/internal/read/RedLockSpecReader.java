package dev.redlock.spring.internal.read;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.internal.call.BlockingLockInvoker;
import dev.redlock.spring.internal.call.FailureHandler;
import dev.redlock.spring.internal.call.FallbackMethod;
import dev.redlock.spring.internal.call.LockInvoker;
import dev.redlock.spring.internal.call.LockInvokers;
import dev.redlock.spring.internal.call.RedLockSpec;
import dev.redlock.spring.internal.call.Skip;
import dev.redlock.spring.internal.expression.LockText;
import dev.redlock.spring.internal.expression.LockTextParser;
import dev.redlock.spring.internal.method.EmptyValue;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringUtils;

/**
 * Reads the {@code @RedLock} of one method at startup, and throws an exception if an
 * attribute has a mistake.
 */
public final class RedLockSpecReader {

	private static final String MAX_HOLD = "maxHold";

	private static final String PERMITS = "permits";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Collection<LockedMethodExtension> extensions;

	private final AnnotatedMethod method;

	private final MergedAnnotation<RedLock> annotation;

	private final LockTextParser parser;

	private final Map<String, AnnotatedMethod> byName;

	RedLockSpecReader(ConfigurableListableBeanFactory beanFactory, AnnotatedMethod method,
			Collection<LockedMethodExtension> extensions, Map<String, AnnotatedMethod> byName) {
		this.beanFactory = beanFactory;
		this.extensions = extensions;
		this.byName = byName;
		this.method = method;
		this.annotation = method.annotation();
		this.parser = new LockTextParser(beanFactory, method);
	}

	RedLockSpec read() {
		requireOneAnnotation();
		List<LockText> resources = resources();
		LockedMethodExtension.Templates templates = templates(resources);
		requireNames(resources);
		requireOneNameForPermits(resources);
		requireSameVoters(resources);
		LockInvoker invoker = new LockInvokers(this.beanFactory, this.method, templates.reactive()).choose();
		LockedMethodExtension.Runner runner = runner(invoker);
		return new RedLockSpec(this.method, this.method.parameters(), resources, condition(), constants(), invoker,
				runner, templates, onFailure());
	}

	private void requireOneAnnotation() {
		this.method.annotations()
			.filter((other) -> !overrides(other) && !Arrays.deepEquals(effect(other), effect(this.annotation)))
			.forEach((other) -> this.method.refuseIf(true, "place",
					"there are two annotations that lock, one on " + other.getSource()
							+ ", and only one has an effect.",
					"Name all resources in one annotation on this method, or move one to a method of another bean."));
	}

	private boolean overrides(MergedAnnotation<RedLock> other) {
		Class<?> overriding = type(this.annotation);
		return type(other) != overriding && type(other).isAssignableFrom(overriding);
	}

	private static Class<?> type(MergedAnnotation<RedLock> annotation) {
		return (annotation.getSource() instanceof Method method) ? method.getDeclaringClass()
				: (Class<?>) Objects.requireNonNull(annotation.getSource());
	}

	/**
	 * Returns values that are deeply equal for annotations with the same effect.
	 */
	private static Object[] effect(MergedAnnotation<RedLock> annotation) {
		MergedAnnotation<?> root = annotation.getRoot();
		return new Object[] { root.getType(), root.asAnnotationAttributes().values().toArray(),
				annotation.asAnnotationAttributes().values().toArray() };
	}

	private LockedMethodExtension.Templates templates(List<LockText> resources) {
		List<String> names = resources.stream().filter(LockText::isConstant).map(LockText::text).toList();
		LockedMethodExtension.Templates templates = first((extension) -> extension.templates(this.method, names));
		if (templates != null) {
			return templates;
		}
		templates = new LockedMethodExtension.Templates(() -> this.beanFactory.getBean(RedLockOperations.class),
				() -> this.beanFactory.getBean(ReactiveRedLockTemplate.class));
		return LeasesHeldByTransaction.SPRING_TX_PRESENT
				? TransactionAwareTemplates.of(templates, this.beanFactory, this.method) : templates;
	}

	private LockedMethodExtension.@Nullable Runner runner(LockInvoker invoker) {
		LockedMethodExtension.Runner runner = first((extension) -> extension.read(this.method));
		boolean endsOnReturn = invoker instanceof BlockingLockInvoker && EmptyValue.exists(this.method);
		this.method.refuseIf(runner != null && !endsOnReturn, "return type",
				"the work of the method must have ended when the method returns, a skipped call returns null, and the "
						+ "return type is " + this.method.method().getReturnType().getTypeName() + ".",
				"Make the method void, and let it return only when its work has ended.");
		return runner;
	}

	private <T> @Nullable T first(Function<LockedMethodExtension, @Nullable T> answer) {
		return this.extensions.stream()
			.flatMap((extension) -> Stream.ofNullable(answer.apply(extension)))
			.findFirst()
			.orElse(null);
	}

	private List<LockText> resources() {
		return Stream.of(this.annotation.getStringArray("resource"))
			.map((resource) -> this.parser.parse("resource", resource))
			.toList();
	}

	private void requireNames(List<LockText> resources) {
		this.method.refuseIf(
				resources.isEmpty() || resources.stream().anyMatch((resource) -> resource.text().isBlank()), "resource",
				"the name is blank.", "Name what is locked, as in resource = \"stock:#{#sku}\".");
	}

	/**
	 * Refuses different permits or Redis servers for one name, because two methods could
	 * then run at the same time.
	 */
	private void requireSameVoters(List<LockText> resources) {
		for (LockText resource : resources) {
			// Names with #root.method or #root.target are not compared, because they
			// differ for each method.
			boolean own = resource.text().contains("#root.method") || resource.text().contains("#root.target");
			AnnotatedMethod other = own ? this.method
					: this.byName.computeIfAbsent(resource.text(), (name) -> this.method);
			String everywhere = " on all methods that lock '" + resource.text()
					+ "', or lock another name in one method.";
			this.method.refuseIf(permits(other) != permits(this.method), "permits",
					"'" + resource.text() + "' has " + text(permits(this.method)) + " here and " + text(permits(other))
							+ " on " + other + ", so neither method would count the calls of the other.",
					"Set the same number of permits" + everywhere);
			this.method.refuseIf(!Set.copyOf(instances(other)).equals(Set.copyOf(instances(this.method))), "instances",
					"'" + resource.text() + "' is locked on other instances by " + other
							+ ", so both methods could get the lock at the same time.",
					"Set the same instances" + everywhere);
		}
	}

	private List<String> instances(AnnotatedMethod method) {
		return Stream.of(method.annotation().getStringArray("instances"))
			.map((instance) -> this.parser.resolvePlaceholders("instances", instance))
			.toList();
	}

	private static int permits(AnnotatedMethod method) {
		return method.annotation().getInt(PERMITS);
	}

	private static String text(int permits) {
		return (permits == 0) ? "a lock without permits" : "permits = " + permits;
	}

	private void requireOneNameForPermits(List<LockText> resources) {
		this.method.refuseIf(permits(this.method) > 0 && resources.size() > 1, PERMITS,
				"permits are counted under one name, and resource has " + resources.size() + " names.",
				"Lock only one name on this method, and lock the other name on a method of another bean.");
	}

	private @Nullable LockText condition() {
		String condition = this.annotation.getString("condition");
		if (this.parser.resolvePlaceholders("condition", condition).isBlank()) {
			return null;
		}
		LockText parsed = this.parser.parseExpression("condition", condition);
		this.method.refuseIf(parsed.parts().size() > 1, "condition",
				"\"" + condition + "\" is a text, which is neither true nor false.",
				"Write the condition as one expression, such as \"#quantity > 10\".");
		return parsed;
	}

	private LockRequest constants() {
		MergedAnnotation<RedLock> changed = this.annotation.filterDefaultValues();
		RedLock.Renew renew = this.annotation.getEnum("renew", RedLock.Renew.class);
		LockRequest request;
		try {
			request = LockRequest.of("any")
				.withPermits(permits(this.method))
				.withRetryCount(changed.getValue("retryCount", Integer.class).orElse(null))
				.withClockDriftFactor(changed.getValue("clockDriftFactor", Double.class).orElse(null))
				.withInstances(instances(this.method).toArray(String[]::new))
				.withRenew((renew != RedLock.Renew.DEFAULT) ? Boolean.valueOf(renew == RedLock.Renew.ON) : null)
				.withOnLoss(LossPolicy.valueOf(this.annotation.getEnum("onLoss", RedLock.OnLoss.class).name()))
				.withOrigin(this.method.shortName())
				.withAwaitReason(
						this.annotation.getEnum("onFailure", RedLock.OnFailure.class) == RedLock.OnFailure.SKIP);
			request = duration(request, "ttl", LockRequest::withTtl);
			request = duration(request, "waitFor", LockRequest::withWaitFor);
			request = duration(request, "retryDelay", LockRequest::withRetryDelay);
			request = duration(request, MAX_HOLD, LockRequest::withMaxHold);
			request = duration(request, "atLeast", LockRequest::withAtLeast);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(this.method, ex);
		}
		this.method.refuseIf(request.maxHold() != null && renew == RedLock.Renew.OFF, MAX_HOLD,
				"maxHold limits renewal, and renew is OFF.", "Leave out maxHold or renew.");
		return request;
	}

	private LockRequest duration(LockRequest request, String attribute,
			BiFunction<LockRequest, Duration, LockRequest> target) {
		String text = this.parser.resolvePlaceholders(attribute, this.annotation.getString(attribute)).strip();
		return text.isEmpty() ? request : target.apply(request, LockDuration.parse(this.method, attribute, text));
	}

	private FailureHandler onFailure() {
		String fallback = this.annotation.getString("fallback").strip();
		RedLock.OnFailure onFailure = this.annotation.getEnum("onFailure", RedLock.OnFailure.class);
		if (onFailure == RedLock.OnFailure.THROW) {
			return StringUtils.hasText(fallback) ? FallbackMethod.find(this.method, fallback) : FailureHandler.THROW;
		}
		this.method.refuseIf(StringUtils.hasText(fallback), "fallback",
				"onFailure is " + onFailure + ", so fallback is never called.", "Leave out onFailure or fallback.");
		this.method.refuseIf(!EmptyValue.exists(this.method), "onFailure",
				"onFailure is " + onFailure + ", and the return type "
						+ this.method.method().getReturnType().getTypeName() + " has no empty value.",
				"Return an Optional, a wrapper type, or a nullable type in Kotlin, or set onFailure to THROW.");
		return new Skip(this.method, onFailure == RedLock.OnFailure.SKIP_ALWAYS
				|| this.extensions.stream().anyMatch((extension) -> extension.skipsAlways(this.method)));
	}

}
