package io.shardwright.persistence.history;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.RandomSource;
import io.shardwright.domain.Scheduler;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import io.shardwright.persistence.Txn;
import io.shardwright.persistence.Txn.Compare;
import io.shardwright.persistence.Txn.Op;
import io.shardwright.persistence.TxnResponse;
import io.shardwright.persistence.TxnResponse.OpResult;
import io.shardwright.persistence.history.Call.Answer;
import io.shardwright.persistence.history.Call.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that each make one call after the other, all at the same time; writes down what they see. On one loop. */
final class Clients {

    private static final int CALLS = 20;

    private final Scheduler loop;
    private final List<Store> stores;
    private final RandomSource random;
    private final List<String> keys;
    private final List<Call> history = new ArrayList<>();
    private long time;
    private final AtomicInteger running;

    /**
     * Makes clients.
     *
     * @param stores one for each client
     */
    Clients(Scheduler loop, List<Store> stores, RandomSource random, List<String> keys) {
        this.loop = loop;
        this.stores = stores;
        this.random = random;
        this.keys = keys;
        this.running = new AtomicInteger(stores.size());
    }

    void start() {
        loop.execute(() -> {
            for (int client = 0; client < stores.size(); client++) {
                next(client, 0, new TreeMap<>());
            }
        });
    }

    boolean areDone() {
        return running.get() == 0;
    }

    List<Call> history() {
        return List.copyOf(history);
    }

    private void next(int client, int number, Map<String, Long> known) {
        if (number == CALLS) {
            running.decrementAndGet();
            return;
        }
        String key = keys.get(random.nextInt(keys.size()));
        String value = "c" + client + "-" + number;
        switch (random.nextInt(3)) {
            case 0 -> read(client, number, known, key);
            case 1 ->
                write(
                        client,
                        number,
                        known,
                        new Call(client, key, value, OptionalLong.empty(), time++, 0, new Answer.Lost()));
            default -> {
                OptionalLong expected = OptionalLong.of(known.getOrDefault(key, 0L));
                write(client, number, known, new Call(client, key, value, expected, time++, 0, new Answer.Lost()));
            }
        }
    }

    private void read(int client, int number, Map<String, Long> known, String key) {
        Call call = new Call(client, key, "", OptionalLong.empty(), time++, 0, new Answer.Lost());
        stores.get(client)
                .range(
                        RangeRequest.of(KeyRange.single(Bytes.utf8(key))),
                        outcome -> ended(number, known, call, answer(outcome, Clients::read)));
    }

    private void write(int client, int number, Map<String, Long> known, Call call) {
        Bytes key = Bytes.utf8(call.key());
        Op read = new Op.Range(RangeRequest.of(KeyRange.single(key)));
        List<Compare> compares = call.expected().isPresent()
                ? List.of(Compare.modRevision(key, call.expected().getAsLong()))
                : List.of();
        Txn txn = new Txn(compares, List.of(new Op.Put(key, Bytes.utf8(call.value()), 0), read), List.of(read));
        stores.get(client).txn(txn, outcome -> ended(number, known, call, answer(outcome, Clients::written)));
    }

    private void ended(int number, Map<String, Long> known, Call call, Answer answer) {
        history.add(new Call(call.client(), call.key(), call.value(), call.expected(), call.begun(), time++, answer));
        switch (answer) {
            case Answer.Wrote wrote -> known.put(call.key(), wrote.revision());
            case Answer.Read read -> read.seen().ifPresent(seen -> known.put(call.key(), seen.modRevision()));
            case Answer.Failed failed -> {}
            case Answer.Lost lost -> {}
        }
        next(call.client(), number + 1, known);
    }

    private interface Reading<T> {
        Answer of(T value);
    }

    private static <T> Answer answer(Outcome<T> outcome, Reading<T> reading) {
        return switch (outcome) {
            case Outcome.Success<T>(T value) -> reading.of(value);
            case Outcome.Failure<T> failure -> new Answer.Failed();
            case Outcome.Unknown<T> unknown -> new Answer.Lost();
        };
    }

    private static Answer read(RangeResponse response) {
        return new Answer.Read(
                response.revision(), response.kvs().stream().findFirst().map(Clients::seen));
    }

    private static Answer written(TxnResponse response) {
        RangeResponse read = ((OpResult.Ranged) response.results().getLast()).response();
        return response.succeeded()
                ? new Answer.Wrote(response.revision(), read.kvs().getFirst().version())
                : read(read);
    }

    private static Seen seen(KeyValue kv) {
        return new Seen(kv.value().toUtf8(), kv.createRevision(), kv.modRevision(), kv.version());
    }
}
