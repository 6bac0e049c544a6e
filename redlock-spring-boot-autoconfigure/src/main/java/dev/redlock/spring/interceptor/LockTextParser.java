package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Parses the text of attributes and refuses text that would fail at run time.
 */
final class LockTextParser {

	private static final Pattern NAKED_VARIABLE = Pattern.compile("#([A-Za-z_]\\w*)");

	/**
	 * Compilation is off because compiled code would no longer ask the restricted
	 * context.
	 */
	private final SpelExpressionParser parser = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	private final ConfigurableBeanFactory beanFactory;

	LockTextParser(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Text with <code>#{…}</code> parts.
	 */
	LockText parse(AnnotatedMethod method, String attribute, String text) {
		String resolved = resolve(method, attribute, text);
		List<Expression> parts = parts(parse(method, attribute, resolved, ParserContext.TEMPLATE_EXPRESSION));
		for (Expression part : parts) {
			if (part instanceof SpelExpression expression) {
				ExpressionCheck.check(method, attribute, expression, this.beanFactory);
			}
			else {
				refuseNakedVariable(method, attribute, part.getExpressionString());
			}
		}
		return new LockText(method, attribute, resolved, parts);
	}

	/**
	 * Text that is one expression, with or without <code>#{…}</code> around it.
	 */
	LockText parseExpression(AnnotatedMethod method, String attribute, String text) {
		String resolved = resolve(method, attribute, text).strip();
		if (resolved.startsWith("#{") && resolved.endsWith("}")) {
			return parse(method, attribute, text.strip());
		}
		SpelExpression expression = (SpelExpression) parse(method, attribute, resolved, null);
		ExpressionCheck.check(method, attribute, expression, this.beanFactory);
		return new LockText(method, attribute, resolved, List.of(expression));
	}

	/**
	 * Resolves placeholders, and only those.
	 */
	String resolve(AnnotatedMethod method, String attribute, String text) {
		String problem = "a placeholder in \"" + text + "\" cannot be resolved";
		String action = "Define the property, or give a default: ${name:default}.";
		String resolved;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(method, attribute, problem + ": " + ex.getMessage() + ".", action, ex);
		}
		if (resolved == null || resolved.contains("${")) {
			throw new InvalidRedLockException(method, attribute, problem + ".", action);
		}
		return resolved;
	}

	private Expression parse(AnnotatedMethod method, String attribute, String text, @Nullable ParserContext context) {
		try {
			return (context != null) ? this.parser.parseExpression(text, context) : this.parser.parseExpression(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new InvalidRedLockException(method, attribute,
					"\"" + text + "\" cannot be parsed: " + ex.getMessage() + ".",
					"Write it in the Spring expression language, as in \"stock:#{#sku}\".", ex);
		}
	}

	/**
	 * Refuses {@code #sku} without braces, which would be the same text for every call.
	 */
	private static void refuseNakedVariable(AnnotatedMethod method, String attribute, String literal) {
		Matcher matcher = NAKED_VARIABLE.matcher(literal);
		while (matcher.find()) {
			String name = matcher.group(1);
			if (ExpressionCheck.isVariable(name, method)) {
				throw new InvalidRedLockException(method, attribute,
						"\"" + literal + "\" has #" + name
								+ " outside of an expression, and would be the same text for every call.",
						"Write #{#" + name + "}.");
			}
		}
	}

	private static List<Expression> parts(Expression expression) {
		return (expression instanceof CompositeStringExpression composite) ? List.of(composite.getExpressions())
				: List.of(expression);
	}

}
