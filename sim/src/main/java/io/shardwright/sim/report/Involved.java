package io.shardwright.sim.report;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machines and shards that a violation is about: those that its sentence names. */
record Involved(List<String> machines, List<String> shards) {

    private static final Pattern MACHINE = Pattern.compile("\\b(?:replica|executor|spectator)-\\d+(?:-twin)?\\b");
    private static final Pattern SHARD = Pattern.compile("\\bshard (?:[\\w.-]+/)?([\\w.-]+)");

    static Involved in(String sentence, History history) {
        TreeSet<String> machines = new TreeSet<>();
        // An owner is written <executor id>/<process id>; the process id begins with the name of its machine.
        for (String word : sentence.split("[\\s,;]+", -1)) {
            Matcher machine = MACHINE.matcher(word.substring(word.indexOf('/') + 1));
            if (machine.find() && history.clocks.containsKey(machine.group())) {
                machines.add(machine.group());
            }
        }
        TreeSet<String> shards = new TreeSet<>();
        Matcher shard = SHARD.matcher(sentence);
        while (shard.find()) {
            shards.add(shard.group(1));
        }
        if (!shards.isEmpty()) {
            String first = shards.first();
            history.bars.stream()
                    .filter(bar -> bar.shard.equals(first) && bar.until > history.end - 30_000_000_000L)
                    .forEach(bar -> machines.add(bar.machine));
        }
        return new Involved(List.copyOf(machines), List.copyOf(shards));
    }
}
