package dev.redlock.docs.snippets;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Import;

/**
 * The application around the snippets.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = Parcel.class)
@Import({ Checkout.class, RecordedPayments.class, Invoices.class, Devices.class, Shipping.class })
class SnippetApplication {

}
