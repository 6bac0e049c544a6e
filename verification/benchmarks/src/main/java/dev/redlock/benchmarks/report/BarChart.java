package dev.redlock.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars with the range of the rounds, as SVG that can be read on a light and on
 * a dark page.
 *
 * @param title what is shown
 * @param unit what the numbers are
 * @param mark where a line is drawn to compare with, none if it is not a number
 * @param bars the bars from top to bottom
 */
public record BarChart(String title, String unit, double mark, List<Bar> bars) {

	private static final int WIDTH = 720;

	private static final int LEFT = 210;

	private static final int RIGHT = 70;

	private static final int TOP = 44;

	private static final int ROW = 26;

	private static final int BOTTOM = 34;

	private static final String STYLE = """
			<style>
			.page { fill: #ffffff; }
			text { font: 13px system-ui, sans-serif; fill: #24292f; }
			.title { font-weight: 600; font-size: 15px; }
			.unit { fill: #57606a; }
			.bar { fill: #8c959f; }
			.ours { fill: #0969da; }
			.range { stroke: #24292f; stroke-width: 1.5; }
			.mark { stroke: #cf222e; stroke-dasharray: 4 3; }
			@media (prefers-color-scheme: dark) {
			.page { fill: #0d1117; }
			text { fill: #e6edf3; }
			.unit { fill: #9198a1; }
			.bar { fill: #6e7681; }
			.ours { fill: #4493f8; }
			.range { stroke: #e6edf3; }
			.mark { stroke: #f85149; }
			}
			</style>
			""";

	/**
	 * Keeps what it is given.
	 */
	public BarChart {
		bars = List.copyOf(bars);
	}

	/**
	 * Draws it.
	 * @return an SVG document
	 */
	public String svg() {
		int bottom = TOP + ROW * this.bars.size();
		StringBuilder svg = new StringBuilder();
		add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
				WIDTH, bottom + BOTTOM, escape(this.title));
		svg.append(STYLE);
		svg.append("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
		add(svg, "<text class=\"title\" x=\"8\" y=\"22\">%s</text>", escape(this.title));
		add(svg, "<text class=\"unit\" x=\"%d\" y=\"%d\">%s</text>", LEFT, bottom + 22, escape(this.unit));
		for (int i = 0; i < this.bars.size(); i++) {
			draw(svg, this.bars.get(i), TOP + ROW * i);
		}
		if (!Double.isNaN(this.mark)) {
			add(svg, "<line class=\"mark\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>", x(this.mark),
					TOP - 6, bottom + 2);
		}
		return svg.append("</svg>\n").toString();
	}

	private void draw(StringBuilder svg, Bar bar, int y) {
		int middle = y + ROW / 2;
		add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 8, middle + 4, escape(bar.label()));
		if (Double.isFinite(bar.value())) {
			add(svg, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
					bar.ours() ? "ours" : "bar", LEFT, y + 4, x(bar.value()) - LEFT, ROW - 8);
			add(svg, "<line class=\"range\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%3$d\" y2=\"%3$d\"/>", x(bar.low()),
					x(bar.high()), middle);
		}
		add(svg, "<text x=\"%.1f\" y=\"%d\">%s</text>", x(Math.max(0, bar.high())) + 6, middle + 4,
				Format.number(bar.value()));
	}

	private double x(double value) {
		return LEFT + (Double.isFinite(value) ? value : 0) / largest() * (WIDTH - LEFT - RIGHT);
	}

	private double largest() {
		double largest = this.bars.stream().mapToDouble(Bar::high).filter(Double::isFinite).max().orElse(0);
		largest = Double.isNaN(this.mark) ? largest : Math.max(largest, this.mark);
		return (largest > 0) ? largest : 1;
	}

	private static void add(StringBuilder svg, String format, Object... arguments) {
		svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
	}

	/**
	 * One bar.
	 *
	 * @param label what it stands for
	 * @param value its length
	 * @param low the smallest value of a round
	 * @param high the largest value of a round
	 * @param ours whether it stands out
	 */
	public record Bar(String label, double value, double low, double high, boolean ours) {

	}

}
