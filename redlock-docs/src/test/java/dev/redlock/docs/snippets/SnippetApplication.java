package dev.redlock.docs.snippets;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * The application around the snippets.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Shop.class, Orders.class, AnnotatedShop.class, Watching.class })
class SnippetApplication {

}
