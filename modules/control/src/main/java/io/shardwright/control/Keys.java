package io.shardwright.control;

import io.shardwright.domain.ExecutorId;
import io.shardwright.domain.NamespaceName;
import io.shardwright.persistence.Bytes;
import io.shardwright.persistence.KeyRange;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where state is stored. Every key lies under one prefix (B11). */
final class Keys {

    private final String prefix;

    Keys(String prefix) {
        this.prefix = prefix;
    }

    /** Everything. */
    KeyRange all() {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/"));
    }

    /** Returns the namespace that an executor, a segment or drains belong to. */
    Optional<NamespaceName> ownerOf(Bytes key) {
        String text = key.toUtf8();
        String drains = prefix + "state/drains/";
        if (text.startsWith(drains)) {
            return Optional.of(new NamespaceName(text.substring(drains.length())));
        }
        for (String kind : List.of("state/executors/", "state/shards/")) {
            if (text.startsWith(prefix + kind)) {
                int start = prefix.length() + kind.length();
                int end = text.indexOf('/', start);
                return end < 0 ? Optional.empty() : Optional.of(new NamespaceName(text.substring(start, end)));
            }
        }
        return Optional.empty();
    }

    Bytes namespace(NamespaceName namespace) {
        return Bytes.utf8(prefix + "state/namespaces/" + namespace);
    }

    KeyRange allNamespaces() {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/namespaces/"));
    }

    Bytes drains(NamespaceName namespace) {
        return Bytes.utf8(prefix + "state/drains/" + namespace);
    }

    KeyRange allDrains() {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/drains/"));
    }

    /** What is kept of a namespace after its end. */
    Bytes epochs(NamespaceName namespace) {
        return Bytes.utf8(prefix + "state/epochs/" + namespace);
    }

    KeyRange allEpochs() {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/epochs/"));
    }

    Bytes executor(NamespaceName namespace, ExecutorId executor) {
        return Bytes.utf8(prefix + "state/executors/" + namespace + "/" + executor);
    }

    KeyRange executors(NamespaceName namespace) {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/executors/" + namespace + "/"));
    }

    Bytes segment(NamespaceName namespace, int segment) {
        return Bytes.utf8(String.format(Locale.ROOT, "%sstate/shards/%s/%05d", prefix, namespace, segment));
    }

    KeyRange segments(NamespaceName namespace) {
        return KeyRange.prefix(Bytes.utf8(prefix + "state/shards/" + namespace + "/"));
    }
}
