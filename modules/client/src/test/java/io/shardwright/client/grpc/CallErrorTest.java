package io.shardwright.client.grpc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.shardwright.proto.v1.NotLeader;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client concludes from a refusal. */
final class CallErrorTest {

    private static CallError unavailable(Any... details) {
        com.google.rpc.Status.Builder status =
                com.google.rpc.Status.newBuilder().setCode(Code.UNAVAILABLE_VALUE);
        for (Any detail : details) {
            status.addDetails(detail);
        }
        StatusRuntimeException thrown = StatusProto.toStatusRuntimeException(status.build());
        Metadata trailers = Optional.ofNullable(thrown.getTrailers()).orElseGet(Metadata::new);
        return CallError.of(thrown.getStatus(), trailers);
    }

    @Test
    @Tag("R116")
    @Tag("R123")
    void onlyACallThatWasRefusedBeforeItRanCertainlyHadNoEffect() {
        assertTrue(unavailable(Any.newBuilder()
                        .setTypeUrl("type.googleapis.com/shardwright.v1.RefusedBeforeRunning")
                        .build())
                .hadNoEffect());
        assertTrue(unavailable(Any.pack(NotLeader.newBuilder()
                        .setLeaderHost("h")
                        .setLeaderPort(1)
                        .build()))
                .hadNoEffect());
        assertFalse(unavailable().hadNoEffect(), "it may have run");
    }
}
