package io.shardwright.persistence.differential;

import java.util.ArrayList;
import java.util.List;

/** What was called and answered, one line for each call, for people. */
final class Transcript {

    private final String fake;
    private final String real;
    private final List<String> lines = new ArrayList<>();

    Transcript(String fake, String real) {
        this.fake = fake;
        this.real = real;
    }

    void add(String call, String fakeAnswer, String realAnswer) {
        if (fakeAnswer.equals(realAnswer)) {
            note(call + "  ->  both: " + fakeAnswer);
        } else {
            note(call);
            both(fakeAnswer, realAnswer);
        }
    }

    void note(String line) {
        lines.add("%3d  %s".formatted(lines.size() + 1, line));
    }

    private void both(String ofFake, String ofReal) {
        int width = Math.max(fake.length(), real.length()) + 1;
        lines.add(("       ->  %-" + width + "s %s").formatted(fake + ":", ofFake));
        lines.add(("       ->  %-" + width + "s %s").formatted(real + ":", ofReal));
    }

    /** The last answers differ. */
    AssertionError difference() {
        return new AssertionError(fake + " and " + real
                + " answer the last call differently (revisions are offsets from the start, leases named by grant):\n"
                + String.join("\n", lines));
    }

    /** The streams of a watch differ. */
    AssertionError difference(int watch, List<String> ofFake, List<String> ofReal) {
        int same = 0;
        while (same < ofFake.size() && same < ofReal.size() && ofFake.get(same).equals(ofReal.get(same))) {
            same++;
        }
        both(String.join("; ", ofFake), String.join("; ", ofReal));
        return new AssertionError("watch " + watch + " of " + fake + " and " + real + " hears different streams after "
                + same + " events that are the same (revisions are offsets from the start, leases named by grant):\n"
                + String.join("\n", lines));
    }
}
