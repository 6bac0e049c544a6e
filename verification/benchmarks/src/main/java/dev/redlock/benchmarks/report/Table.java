package dev.redlock.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of text.
 *
 * @param header the names of the columns
 * @param rows the cells of each row
 */
public record Table(List<String> header, List<List<String>> rows) {

	/**
	 * Checks that all rows are of one length.
	 */
	public Table {
		header = List.copyOf(header);
		rows = rows.stream().map(List::copyOf).toList();
		for (List<String> row : rows) {
			if (row.size() != header.size()) {
				throw new IllegalArgumentException("A row of " + row.size() + " cells under " + header);
			}
		}
	}

	/**
	 * The table in Markdown. Names below a heading without a word are those of lanes or
	 * methods, and stand as code.
	 * @return lines, each with its end
	 */
	public String markdown() {
		List<List<String>> lines = new ArrayList<>();
		lines.add(this.header);
		lines.add(Collections.nCopies(this.header.size(), "---"));
		boolean named = this.header.get(0).isEmpty();
		this.rows.forEach((row) -> {
			List<String> line = new ArrayList<>(row);
			line.set(0, named ? "`" + row.get(0) + "`" : row.get(0));
			lines.add(line);
		});
		return lines.stream()
			.map((line) -> line.stream()
				.map((cell) -> cell.replace("|", "\\|"))
				.collect(Collectors.joining(" | ", "| ", " |\n")))
			.collect(Collectors.joining());
	}

	/**
	 * The table in columns.
	 * @return lines, each with its end
	 */
	public String text() {
		List<List<String>> lines = new ArrayList<>();
		lines.add(this.header);
		lines.addAll(this.rows);
		int[] widths = IntStream.range(0, this.header.size())
			.map((column) -> lines.stream().mapToInt((line) -> line.get(column).length()).max().orElse(0))
			.toArray();
		StringBuilder text = new StringBuilder();
		for (List<String> line : lines) {
			StringBuilder row = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				String cell = line.get(column);
				String padding = " ".repeat(widths[column] - cell.length());
				// Names to the left, numbers to the right.
				row.append((column == 0) ? cell + padding : "  " + padding + cell);
			}
			text.append(row.toString().stripTrailing()).append('\n');
		}
		return text.toString();
	}

}
