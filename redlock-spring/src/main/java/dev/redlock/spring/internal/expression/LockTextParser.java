package dev.redlock.spring.internal.expression;

import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;

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
 * Parses the text attributes of a method's {@code @RedLock}, and rejects at startup the
 * mistakes that show without a call.
 */
public final class LockTextParser {

	private static final Pattern NAKED_VARIABLE = Pattern.compile("#([A-Za-z_]\\w*)");

	/**
	 * Matches a parameter in braces by its name or position, possibly with a property
	 * path: <code>{order.id}</code>.
	 */
	private static final Pattern BRACES = Pattern.compile("\\{\\s*(\\w+)([^{}]*)}");

	/**
	 * SpEL expressions are not compiled, because compiled code would bypass the
	 * restrictions of the evaluation context.
	 */
	private static final SpelExpressionParser PARSER = new SpelExpressionParser(
			new SpelParserConfiguration(SpelCompilerMode.OFF, null));

	private final ConfigurableBeanFactory beanFactory;

	private final AnnotatedMethod method;

	public LockTextParser(ConfigurableBeanFactory beanFactory, AnnotatedMethod method) {
		this.beanFactory = beanFactory;
		this.method = method;
	}

	public LockText parse(String attribute, String text) {
		String resolved = resolvePlaceholders(attribute, text);
		return parse(attribute, resolved, "stock:#{#sku}",
				() -> PARSER.parseExpression(resolved, ParserContext.TEMPLATE_EXPRESSION));
	}

	/**
	 * Parses a {@code @RedLock} attribute that is one SpEL expression, with or without
	 * <code>#{…}</code> around it.
	 */
	public LockText parseExpression(String attribute, String text) {
		String resolved = resolvePlaceholders(attribute, text).strip();
		return (resolved.startsWith("#{") && resolved.endsWith("}")) ? parse(attribute, text.strip())
				: parse(attribute, resolved, "#quantity > 10", () -> PARSER.parseExpression(resolved));
	}

	public String resolvePlaceholders(String attribute, String text) {
		String problem = "a placeholder in \"" + text + "\" cannot be resolved";
		String action = "Define the property, or give a default: ${name:default}.";
		String resolved;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(this.method, attribute, problem + ": " + ex.getMessage() + ".", action,
					ex);
		}
		if (resolved == null || resolved.contains("${")) {
			throw new InvalidRedLockException(this.method, attribute, problem + ".", action);
		}
		return resolved;
	}

	private LockText parse(String attribute, String text, String example, Supplier<Expression> parsing) {
		Expression parsed;
		try {
			parsed = parsing.get();
		}
		catch (ParseException | IllegalStateException ex) {
			throw new InvalidRedLockException(this.method, attribute,
					"\"" + text + "\" cannot be parsed: " + ex.getMessage() + ".",
					"Write an expression of the Spring expression language, as in \"" + example + "\".", ex);
		}
		List<Expression> parts = (parsed instanceof CompositeStringExpression composite)
				? List.of(composite.getExpressions()) : List.of(parsed);
		for (Expression part : parts) {
			if (part instanceof SpelExpression expression) {
				ExpressionCheck.check(this.method, attribute, expression, this.beanFactory);
			}
			else {
				refuseNakedVariable(attribute, part.getExpressionString());
				refuseParameterInBraces(attribute, part.getExpressionString());
			}
		}
		return new LockText(this.method, attribute, text, parts);
	}

	/**
	 * Refuses a parameter outside of an expression, such as {@code stock:#sku}, because
	 * the text would be the same for every call.
	 */
	private void refuseNakedVariable(String attribute, String literal) {
		Matcher matcher = NAKED_VARIABLE.matcher(literal);
		while (matcher.find()) {
			this.method.refuseIf(ExpressionCheck.isVariable(matcher.group(1), this.method), attribute,
					"\"" + literal + "\" has " + matcher.group()
							+ " outside of an expression, so the text would be the same for every call.",
					literal.contains("'") && literal.contains("+")
							? "Write #{" + literal + "}, or the text without quotes and #{" + matcher.group() + "}."
							: "Write #{" + matcher.group() + "}.");
		}
	}

	/**
	 * Refuses a parameter in braces without a hash, such as <code>{order}</code>. Braces
	 * without a parameter name are allowed, because they may be a hash tag of Redis
	 * Cluster.
	 */
	private void refuseParameterInBraces(String attribute, String literal) {
		Matcher matcher = BRACES.matcher(literal);
		while (matcher.find()) {
			String name = matcher.group(1);
			String variable = Character.isDigit(name.charAt(0)) ? "a" + name : name;
			this.method.refuseIf(ExpressionCheck.isParameter(variable, this.method), attribute,
					"\"" + literal + "\" has " + matcher.group()
							+ " without a hash, so the name would be the same for every call.",
					"Write #{#" + variable + matcher.group(2).stripTrailing() + "}.");
		}
	}

}
