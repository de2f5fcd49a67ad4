package io.shardwright.server.http;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this process measures, in one registry of its own (never the global one, so that two servers can live in one
 * test). Thread-safe. Names begin with {@code shard_manager_} and end with the unit; counters with {@code _total}.
 */
public final class Metrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormats formats = ExpositionFormats.init();

    private Metrics() {}

    /** An empty set. */
    public static Metrics empty() {
        return new Metrics();
    }

    /**
     * A set with memory, garbage collection, threads and processor time of this process. Those are added in the
     * background, because they load a tenth of all classes that a start needs; the first scrape may come too early.
     */
    public static Metrics withProcess() {
        Metrics metrics = new Metrics();
        Thread.startVirtualThread(() -> JvmMetrics.builder().register(metrics.registry));
        return metrics;
    }

    /** A value that is read at each scrape, on the thread of the scrape. */
    public void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(sample -> sample.call(value.getAsDouble()))
                .register(registry);
    }

    /**
     * Values by label, read at each scrape: the source reports one sample per set of label values that exists now, so
     * what has gone (a deleted namespace) is gone from the answer too.
     */
    public void gauges(String name, String help, List<String> labels, Consumer<Samples> source) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(callback -> source.accept((value, labelValues) -> callback.call(value, labelValues)))
                .register(registry);
    }

    /** Takes the samples of one scrape. */
    @FunctionalInterface
    public interface Samples {
        /** One sample. The label values are in the order of the label names. */
        void add(double value, String... labelValues);
    }

    /** A number that only grows and that somebody else counts. The name is given without {@code _total}. */
    public void total(String name, String help, LongSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(sample -> sample.call((double) value.getAsLong()))
                .register(registry);
    }

    /** A number that only grows. The name is given without {@code _total}. */
    public Counter counter(String name, String help, String... labels) {
        return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    /** A distribution in seconds; the buckets are upper bounds in seconds. */
    public Histogram seconds(String name, String help, List<Double> buckets, String... labels) {
        double[] bounds = buckets.stream().mapToDouble(Double::doubleValue).toArray();
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    /**
     * Writes everything in the format that the scraper accepts and says which one that is. Prometheus text without an
     * accept header.
     */
    String write(@Nullable String accept, OutputStream out) throws IOException {
        var writer = formats.findWriter(accept);
        writer.write(out, registry.scrape());
        return writer.getContentType();
    }
}
