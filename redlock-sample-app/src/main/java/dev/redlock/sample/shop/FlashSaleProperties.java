package dev.redlock.sample.shop;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the flash sale.
 *
 * @param thinkTime Time that a purchase takes between reading and writing the stock.
 * @param patience Time that a buyer waits for the lock.
 */
@ConfigurationProperties("flash-sale")
public record FlashSaleProperties(@DefaultValue("40ms") Duration thinkTime, @DefaultValue("10s") Duration patience) {

}
