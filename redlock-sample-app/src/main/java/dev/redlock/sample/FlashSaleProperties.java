package dev.redlock.sample;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the flash sale.
 *
 * @param thinkTime How long a purchase takes between reading and writing the stock.
 */
@ConfigurationProperties("flash-sale")
record FlashSaleProperties(@DefaultValue("2ms") Duration thinkTime) {

}
