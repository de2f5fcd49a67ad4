package io.shardwright.election;

import io.shardwright.persistence.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The value of an election key: who waits or leads there, and whether it serves (R145). Its members stay flat in every
 * format.
 *
 * @param ready it leads and serves; only then may callers be sent to it (R97)
 */
record ElectionEntry(Candidate candidate, String incarnation, boolean ready) {

    private static final int FORMAT = 1;
    private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");

    Bytes encode() {
        return Bytes.utf8("{\"format\":" + FORMAT
                + ",\"identity\":" + FlatJson.quote(candidate.identity())
                + ",\"grpc_host\":" + FlatJson.quote(candidate.address().host())
                + ",\"grpc_port\":" + candidate.address().port()
                + ",\"ready\":" + ready
                + ",\"version\":" + FlatJson.quote(candidate.version())
                + ",\"incarnation\":" + FlatJson.quote(incarnation)
                + "}");
    }

    /** Reads an entry; one that another version wrote and this one cannot read is empty, never an error (R160). */
    static Optional<ElectionEntry> decode(Bytes value) {
        return FlatJson.parse(value.toUtf8()).flatMap(ElectionEntry::of);
    }

    private static Optional<ElectionEntry> of(Map<String, String> members) {
        String port = members.getOrDefault("grpc_port", "");
        String host = members.getOrDefault("grpc_host", "");
        if (!members.getOrDefault("format", "").equals(Integer.toString(FORMAT))
                || host.isBlank()
                || !PORT.matcher(port).matches()
                || Integer.parseInt(port) > 65_535) {
            return Optional.empty();
        }
        Candidate candidate = new Candidate(
                members.getOrDefault("identity", ""),
                new LeaderAddress(host, Integer.parseInt(port)),
                members.getOrDefault("version", ""));
        return Optional.of(new ElectionEntry(
                candidate,
                members.getOrDefault("incarnation", ""),
                members.getOrDefault("ready", "").equals("true")));
    }
}
