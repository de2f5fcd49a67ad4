package io.shardwright.canary;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shardwright.canary.ping.Findings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Serves what a run has found so far at {@code /metrics}, as Prometheus text. */
final class MetricsPort implements AutoCloseable {

    private final HttpServer server;
    private final Findings findings;

    MetricsPort(int port, Findings findings) throws RunFailedException {
        this.findings = findings;
        try {
            this.server = HttpServer.create(new InetSocketAddress(port), 0);
        } catch (IOException e) {
            throw new RunFailedException(
                    "--metrics-port: cannot listen on " + port + ": " + e.getMessage() + "; choose a free port", e);
        }
        server.createContext("/metrics", this::serve);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] body = text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private String text() {
        Findings.Counts counts = findings.counts();
        StringBuilder text = new StringBuilder();
        head(text, "shardwright_canary_pings_total", "counter", "Pings of random shards by how they ended.");
        ping(text, "ok", counts.ok());
        ping(text, "not_owned", counts.notOwned());
        ping(text, "unreachable", counts.unreachable());
        ping(text, "no_owner", counts.noOwner());
        one(text, "ephemeral_created_total", "counter", "Ephemeral shards made by pings.", counts.created());
        one(text, "moves_total", "counter", "Changes of an owner in the routing table.", counts.moves());
        one(
                text,
                "double_owners_total",
                "counter",
                "Proven double owners. Anything above 0 is a bug.",
                counts.doubleOwners());
        one(
                text,
                "epoch_falls_total",
                "counter",
                "Proven falls of an epoch. Anything above 0 is a bug.",
                counts.epochFalls());
        one(text, "fence_refusals_total", "counter", "Writes that a fence refused.", counts.fenceRefusals());
        one(
                text,
                "shards_unserved",
                "gauge",
                "Shards whose owner does not answer now.",
                findings.unserved().size());
        one(
                text,
                "longest_unserved_seconds",
                "gauge",
                "Longest time that a shard had no owner that answered.",
                findings.longestUnserved().toMillis() / 1000.0);
        return text.toString();
    }

    private static void ping(StringBuilder text, String outcome, long value) {
        text.append("shardwright_canary_pings_total{outcome=\"")
                .append(outcome)
                .append("\"} ")
                .append(value)
                .append('\n');
    }

    private static void one(StringBuilder text, String name, String type, String help, Number value) {
        String full = "shardwright_canary_" + name;
        head(text, full, type, help);
        text.append(full).append(' ').append(value).append('\n');
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
