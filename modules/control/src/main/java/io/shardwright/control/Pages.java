package io.shardwright.control;

import io.shardwright.domain.Outcome;
import io.shardwright.domain.Outcome.Fault;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import io.shardwright.persistence.KeyValue;
import io.shardwright.persistence.RangeRequest;
import io.shardwright.persistence.RangeResponse;
import io.shardwright.persistence.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** Reads a range of any size page by page, all of it at the revision of the first page. */
final class Pages {

    private final Store store;
    private final LongPredicate usable;
    private final Consumer<Outcome<RangeResponse>> done;
    private final List<KeyValue> kvs = new ArrayList<>();

    private Pages(Store store, LongPredicate usable, Consumer<Outcome<RangeResponse>> done) {
        this.store = store;
        this.usable = usable;
        this.done = done;
    }

    /**
     * Reads all keys of a range.
     *
     * @param request the range; its limit is the size of a page
     * @param usable asked with the revision of the first page, whether the rest is worth reading
     * @param done hears of the whole as if it had been one read
     */
    static void read(Store store, RangeRequest request, LongPredicate usable, Consumer<Outcome<RangeResponse>> done) {
        new Pages(store, usable, done).page(request);
    }

    private void page(RangeRequest request) {
        store.range(request, outcome -> {
            if (outcome instanceof Outcome.Success<RangeResponse>(RangeResponse response)) {
                take(request, response);
            } else {
                done.accept(outcome);
            }
        });
    }

    private void take(RangeRequest request, RangeResponse response) {
        if (kvs.isEmpty() && !usable.test(response.revision())) {
            done.accept(Outcome.failure(Fault.Kind.UNAVAILABLE, "the store answered with an old state"));
            return;
        }
        kvs.addAll(response.kvs());
        long revision = request.revision() == 0 ? response.revision() : request.revision();
        if (response.more()) {
            KeyRange rest = new KeyRange(
                    after(kvs.get(kvs.size() - 1).key()), request.range().end());
            page(new RangeRequest(rest, revision, request.limit(), request.keysOnly()));
        } else {
            done.accept(Outcome.success(new RangeResponse(revision, kvs, false, kvs.size())));
        }
    }

    private static Bytes after(Bytes key) {
        return Bytes.of(Arrays.copyOf(key.toByteArray(), key.length() + 1));
    }
}
