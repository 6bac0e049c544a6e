package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

import dev.redlock.nemesis.Event.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What others read in a history is what the checker found in it. Times are small numbers
 * of nanoseconds since the first event.
 */
class EdnHistoryTests {

	private static final String LOCK = "lock0";

	private final List<Event> events = new ArrayList<>();

	@TempDir
	private Path directory;

	@Test
	void aCleanHistoryStaysClean() throws IOException {
		holding("client0-0.1", 0, 10, 7, 100, 20);
		addition(Kind.CHECKED, "client0-0.1", 11, 19, 0);
		addition(Kind.UNCHECKED, "client0-0.1", 11, 18, 0);
		event(21, Kind.TRY, "client1-0.1", 50, 0);
		event(22, Kind.FAILED, "client1-0.1", 0, 0);
		holding("client1-0.2", 23, 30, 8, 100, 40);
		event(31, Kind.ADD, "client1-0.2", 0, 0);
		event(32, Kind.UNCHECKED, "client1-0.2", 1, 2);
		event(33, Kind.REFUSED, "client1-0.2", 8, 0);
		this.events.add(new Event(15, "nemesis", Kind.FAULT, "LATE_REPLIES", "0a", 0, 0));
		this.events.add(new Event(16, "nemesis", Kind.HEALED, "", "", 0, 0));
		Findings findings = writeAndCheck();
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		assertThat(findings.acquisitions()).isEqualTo(2);
		assertThat(lines("lock-lock0")).containsExactly(
				"{:process 0, :type :invoke, :f :acquire, :value nil, :time 0, :ttl 1000}",
				"{:process 0, :type :ok, :f :acquire, :value 7, :time 10, :until 100}",
				"{:process 0, :type :invoke, :f :release, :value nil, :time 20, :cause :released}",
				"{:process 0, :type :ok, :f :release, :value 5, :time 21}",
				"{:process 1, :type :invoke, :f :acquire, :value nil, :time 21, :ttl 50}",
				"{:process 1, :type :fail, :f :acquire, :value nil, :time 22}",
				"{:process 1, :type :invoke, :f :acquire, :value nil, :time 23, :ttl 1000}",
				"{:process 1, :type :ok, :f :acquire, :value 8, :time 30, :until 100}",
				"{:process 1, :type :invoke, :f :release, :value nil, :time 40, :cause :released}",
				"{:process 1, :type :ok, :f :release, :value 5, :time 41}");
		assertThat(lines("fenced-lock0")).containsExactly("{:process 0, :type :invoke, :f :write, :value 0, :time 0}",
				"{:process 0, :type :ok, :f :write, :value 0, :time 0}",
				"{:process 0, :type :invoke, :f :cas, :value nil, :time 11}",
				"{:process 0, :type :ok, :f :cas, :value [0 1], :time 19}",
				"{:process 1, :type :invoke, :f :cas, :value nil, :time 31}",
				"{:process 1, :type :fail, :f :cas, :value nil, :time 33}");
		assertThat(lines("faults")).containsExactly(
				"{:process :nemesis, :type :info, :f :late-replies, :value \"0a\", :time 15}",
				"{:process :nemesis, :type :info, :f :healed, :value \"\", :time 16}");
	}

	@Test
	void aLeaseThatEndedByItselfIsReleasedThen() throws IOException {
		holding("client0-0.1", 0, 10, 7, 30, 50);
		event(31, Kind.LOST, "client0-0.1", 0, 0);
		holding("client1-0.1", 5, 30, 8, 100, 40);
		assertThat(writeAndCheck().overlaps()).isZero();
		assertThat(lines("lock-lock0")).containsSubsequence(
				"{:process 0, :type :invoke, :f :release, :value nil, :time 30, :cause :expired}",
				"{:process 0, :type :ok, :f :release, :value nil, :time 30}",
				"{:process 1, :type :ok, :f :acquire, :value 8, :time 30, :until 100}");
	}

	@Test
	void aLeaseThatHadEndedBeforeItsClientCouldLookWasNotAcquired() throws IOException {
		holding("client0-0.1", 0, 50, 7, 49, 60);
		holding("client1-0.1", 20, 30, 8, 100, 90);
		assertThat(writeAndCheck().overlaps()).isZero();
		assertThat(lines("lock-lock0"))
			.contains("{:process 0, :type :fail, :f :acquire, :value 7, :time 50, :until 49, :cause :expired}");
	}

	@Test
	void fencesOutOfOrderAndTwiceAreFound() {
		holding("client0-0.1", 0, 10, 7, 100, 11);
		holding("client1-0.1", 12, 20, 7, 100, 21);
		assertThat(writeAndCheck().duplicates()).isOne();
		assertThat(writeAndCheck().orderViolations()).isOne();
	}

	@Test
	void aLostUpdateIsFound() {
		holding("client0-0.1", 0, 10, 7, 100, 40);
		addition(Kind.CHECKED, "client0-0.1", 11, 35, 0);
		holding("client1-0.1", 0, 20, 8, 100, 30);
		addition(Kind.CHECKED, "client1-0.1", 21, 29, 0);
		assertThat(writeAndCheck().lostChecked()).isOne();
	}

	@Test
	void anUnfinishedRequestStaysOpen() throws IOException {
		event(0, Kind.TRY, "client0-0.1", 100, 0);
		event(30, Kind.TRY, "client1-0.1", 100, 0);
		writeAndCheck();
		assertThat(lines("lock-lock0")).contains("{:process 0, :type :info, :f :acquire, :value nil, :time 30}");
	}

	@Test
	void aLineThatIsNoMapIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> EdnOp.parse("[:process 0]"));
		assertThatIllegalArgumentException().isThrownBy(() -> EdnOp.parse("{:process 0"));
	}

	private void holding(String attempt, long tried, long won, long fence, long validUntil, long released) {
		event(tried, Kind.TRY, attempt, 1_000, 0);
		event(won, Kind.WON, attempt, fence, validUntil);
		event(released, Kind.RELEASE, attempt, 0, 0);
		event(released + 1, Kind.RELEASED, attempt, 5, 0);
	}

	private void addition(Kind kind, String attempt, long begun, long ended, long read) {
		event(begun, Kind.ADD, attempt, 0, 0);
		event(ended, kind, attempt, read, read + 1);
	}

	private void event(long nanos, Kind kind, String attempt, long first, long second) {
		this.events.add(new Event(nanos, attempt.replaceFirst("-.*", ""), kind, LOCK, attempt, first, second));
	}

	/**
	 * Checks what was recorded and what is read from the files, which must agree.
	 */
	private Findings writeAndCheck() {
		this.events.sort(Comparator.comparingLong(Event::nanos));
		Findings findings = Checker.check(this.events, Set.of(LOCK), 1);
		EdnHistory.write(this.events, this.directory);
		Findings again = Checker.check(EdnReader.read(this.directory), Set.of(LOCK), 1);
		assertThat(again).usingRecursiveComparison().ignoringFields("examples").isEqualTo(findings);
		return again;
	}

	private List<String> lines(String file) throws IOException {
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(
				new GZIPInputStream(Files.newInputStream(this.directory.resolve(file + ".edn.gz"))),
				StandardCharsets.UTF_8))) {
			return lines.lines().toList();
		}
	}

}
