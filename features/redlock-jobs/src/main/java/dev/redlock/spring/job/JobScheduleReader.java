package dev.redlock.spring.job;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.job.RedLockJob.Missed;
import dev.redlock.spring.job.RedLockJob.OnCrash;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringValueResolver;

/**
 * Reads the schedule of a job method from its {@code @Scheduled}. Throws an exception if
 * the scheduled times would differ between processes.
 */
final class JobScheduleReader {

	private static final String ATTRIBUTE = "schedule";

	private static final String MISSED = "missed";

	private static final String CLOCK_DIFFERENCE = "redlock.jobs.clock-difference";

	private static final Duration DEFAULT_DIFFERENCE = Duration.ofSeconds(1);

	private final StringValueResolver values;

	private final AnnotatedMethod method;

	private final Clock clock;

	JobScheduleReader(ConfigurableBeanFactory beanFactory, AnnotatedMethod method, Clock clock) {
		this.values = new EmbeddedValueResolver(beanFactory);
		this.method = method;
		this.clock = clock;
	}

	JobSchedule read(MergedAnnotation<?> annotation) {
		boolean rerun = annotation.getEnum("onCrash", OnCrash.class) == OnCrash.RERUN;
		boolean latest = annotation.getEnum(MISSED, Missed.class) == Missed.LATEST;
		JobTicks ticks = ticks(scheduled());
		this.method.refuseIf(latest && ticks instanceof RateTicks, MISSED,
				"missed is LATEST, and each start of a process runs a job with a fixedRate anyway.",
				"Remove missed = LATEST, or write cron with a zone.");
		return new JobSchedule(ticks, clockDifference(ticks), rerun, latest, this.clock);
	}

	/**
	 * Spring ignores {@code @Scheduled} on an overridden method, so only the job method
	 * itself is searched.
	 */
	private MergedAnnotation<Scheduled> scheduled() {
		List<MergedAnnotation<Scheduled>> found = MergedAnnotations.from(this.method.method())
			.stream(Scheduled.class)
			.toList();
		this.method.refuseIf(found.size() != 1, ATTRIBUTE,
				(found.isEmpty() ? "the method has no @Scheduled" : "the method has several @Scheduled")
						+ ", which says when the job is due.",
				"Write one @Scheduled on this method. For jobs that are scheduled in another way, use"
						+ " LockRequest.withTick.");
		return found.get(0);
	}

	private @Nullable JobTicks ticks(MergedAnnotation<Scheduled> scheduled) {
		String cron = resolve(scheduled.getString("cron"));
		if (!cron.isBlank()) {
			return Scheduled.CRON_DISABLED.equals(cron) ? null
					: cronTicks(expression(cron), zone(resolve(scheduled.getString("zone"))));
		}
		TimeUnit unit = scheduled.getEnum("timeUnit", TimeUnit.class);
		String rate = resolve(scheduled.getString("fixedRateString"));
		long fixed = scheduled.getLong("fixedRate");
		this.method.refuseIf(rate.isBlank() && fixed < 0, ATTRIBUTE,
				"with fixedDelay the due times depend on when each run of this process has ended, and with initialDelay "
						+ "alone on when this process has started.",
				"Write cron with a zone, or write fixedRate.");
		Duration each = duration(rate.isBlank() ? Long.toString(fixed) : rate, unit);
		this.method.refuseIf(each.compareTo(Duration.ofMillis(1)) < 0, ATTRIBUTE,
				"a fixedRate of " + each + " is too fast.", "Write a fixedRate of at least a millisecond.");
		this.method.refuseIf(each.compareTo(Duration.between(Instant.EPOCH, this.clock.instant())) > 0, ATTRIBUTE,
				"the due times are the multiples of the fixedRate since 1970, and with " + each + " the first of "
						+ "them is still to come.",
				"Write a shorter fixedRate, or cron with a zone.");
		return new RateTicks(each);
	}

	private CronTicks cronTicks(CronExpression cron, ZoneId zone) {
		this.method.refuseIf(cron.next(ZonedDateTime.now(zone)) == null, ATTRIBUTE,
				"there is no date that its cron expression \"" + cron + "\" matches.",
				"Correct the cron expression of @Scheduled.");
		return new CronTicks(cron, zone);
	}

	private CronExpression expression(String cron) {
		return read(() -> CronExpression.parse(cron),
				(ex) -> "the cron expression \"" + cron + "\" cannot be parsed: " + ex.getMessage() + ".",
				"Correct the cron expression of @Scheduled.");
	}

	private ZoneId zone(String zone) {
		this.method.refuseIf(zone.isBlank(), ATTRIBUTE,
				"the cron expression has no zone, so the due times depend on the zone of each host.",
				"Write the zone beside the cron expression, as in zone = \"UTC\".");
		return read(() -> ZoneId.of(zone), (ex) -> "\"" + zone + "\" is no time zone.",
				"Write a zone such as \"UTC\" or \"Europe/Berlin\".");
	}

	private Duration clockDifference(@Nullable JobTicks ticks) {
		String text = resolve("${" + CLOCK_DIFFERENCE + ":}");
		if (ticks == null) {
			return DEFAULT_DIFFERENCE;
		}
		Duration shortest = ticks.shortest(this.clock.instant());
		if (text.isBlank()) {
			Duration half = shortest.dividedBy(2);
			return (half.compareTo(DEFAULT_DIFFERENCE) < 0) ? half : DEFAULT_DIFFERENCE;
		}
		Duration difference = duration(text, TimeUnit.MILLISECONDS);
		this.method.refuseIf(difference.isNegative() || difference.compareTo(shortest.dividedBy(2)) > 0, ATTRIBUTE,
				"the clocks of two processes may differ by " + difference + ", and two runs of the job are only "
						+ shortest + " apart.",
				"Set " + CLOCK_DIFFERENCE
						+ " to at most half of the time between two runs, or run the job less often.");
		return difference;
	}

	private Duration duration(String text, TimeUnit unit) {
		return read(
				() -> DurationFormatterUtils.detectAndParse(text.strip(),
						DurationFormat.Unit.fromChronoUnit(unit.toChronoUnit())),
				(ex) -> "\"" + text + "\" is not a duration.", "Write the duration as \"10s\" or \"PT10S\".");
	}

	private String resolve(String text) {
		return read(() -> Objects.requireNonNullElse(this.values.resolveStringValue(text), "").strip(),
				(ex) -> "\"" + text + "\" cannot be resolved: "
						+ NestedExceptionUtils.getMostSpecificCause(ex).getMessage() + ".",
				"Define the property, give a default as in ${name:default}, or correct the expression.");
	}

	/**
	 * Turns the exception of a parser into an {@link InvalidRedLockException} that
	 * explains the mistake.
	 */
	private <T> T read(Supplier<T> reading, Function<RuntimeException, String> problem, String action) {
		try {
			return reading.get();
		}
		catch (IllegalArgumentException | DateTimeException | ArithmeticException | BeansException ex) {
			throw new InvalidRedLockException(this.method, ATTRIBUTE, problem.apply(ex), action, ex);
		}
	}

}
