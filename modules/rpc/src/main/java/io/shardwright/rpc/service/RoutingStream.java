package io.shardwright.rpc.service;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.shardwright.control.NamespaceView;
import io.shardwright.proto.v1.Beat;
import io.shardwright.proto.v1.RoutingEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** One reader of a routing table: its place in the history or, while it reads the whole table, in that. */
final class RoutingStream implements StreamPump.Source<RoutingEvent> {

    /**
     * Two checks without a message between them are a beat, so no silence is longer than twice this: 4 s of the
     * promised 5.
     */
    private static final Duration BEAT_CHECK = Duration.ofSeconds(2);

    private final ServerCallStreamObserver<RoutingEvent> out;
    private final StreamThreads threads;
    private final NamespaceRoutes routes;
    private final String incarnation;
    private final StreamPump<RoutingEvent> pump;

    // Written by the timer, taken by the writer; wrong by one beat at worst.
    private volatile boolean quiet;
    private volatile boolean beatDue;

    // Only the writer touches these.
    private OptionalLong known;
    private Optional<Whole> whole = Optional.empty();

    private record Whole(NamespaceView view, RoutingParts.Place place) {}

    /** @param known revision that the reader has, of this incarnation */
    RoutingStream(
            ServerCallStreamObserver<RoutingEvent> out,
            StreamThreads threads,
            NamespaceRoutes routes,
            String incarnation,
            OptionalLong known) {
        this.out = out;
        this.threads = threads;
        this.routes = routes;
        this.incarnation = incarnation;
        this.known = known;
        this.beatDue = known.isPresent(); // whoever resumes learns at once that the table still holds
        this.pump = new StreamPump<>(out, threads.writers(), this);
    }

    void open() {
        out.setOnReadyHandler(pump::wake);
        Runnable beats = threads.every(BEAT_CHECK, this::tick);
        Runnable news = routes.join(this);
        Runnable leave = () -> {
            beats.run();
            news.run();
        };
        out.setOnCloseHandler(leave);
        out.setOnCancelHandler(leave);
        pump.wake();
    }

    void wake() {
        pump.wake();
    }

    private void tick() {
        if (quiet) {
            beatDue = true;
            pump.wake();
        }
        quiet = true;
    }

    @Override
    public Optional<StatusRuntimeException> end() {
        return routes.ended().map(Refusals::status);
    }

    @Override
    public Optional<RoutingEvent> next() {
        if (whole.isEmpty() && known.isEmpty()) {
            whole = Optional.of(new Whole(routes.newest(), RoutingParts.Place.BEGIN));
        }
        if (whole.isPresent()) {
            return sent(nextPart(whole.get()));
        }
        return switch (routes.after(known.getAsLong())) {
            case NamespaceRoutes.Next.Delta(RoutingEvent event) -> {
                known = OptionalLong.of(event.getRevision());
                yield sent(event);
            }
            case NamespaceRoutes.Next.Whole(NamespaceView view) ->
                sent(nextPart(new Whole(view, RoutingParts.Place.BEGIN)));
            case NamespaceRoutes.Next.UpToDate(long revision) -> {
                if (!beatDue) {
                    yield Optional.empty();
                }
                known = OptionalLong.of(revision);
                yield sent(beat(revision));
            }
        };
    }

    private RoutingEvent nextPart(Whole from) {
        RoutingParts.Part part = routes.part(from.view(), from.place());
        whole = part.next().map(place -> new Whole(from.view(), place));
        if (whole.isEmpty()) {
            known = OptionalLong.of(from.view().revision());
        }
        return part.event();
    }

    private RoutingEvent beat(long revision) {
        return RoutingEvent.newBuilder()
                .setIncarnation(incarnation)
                .setRevision(revision)
                .setBeat(Beat.newBuilder().setIncarnation(incarnation).setRevision(revision))
                .build();
    }

    private Optional<RoutingEvent> sent(RoutingEvent event) {
        quiet = false;
        beatDue = false;
        return Optional.of(event);
    }
}
