package io.shardwright.server.config;

import java.time.Duration;

/** The rules that tie keys to each other. Every message names both keys. */
final class Rules {
    private final Values values;

    Rules(Values values) {
        this.values = values;
    }

    /** Both keys or neither. */
    void together(Setting<?> one, Setting<?> other) {
        if (values.isGiven(one) != values.isGiven(other)) {
            Setting<?> given = values.isGiven(one) ? one : other;
            Setting<?> missing = values.isGiven(one) ? other : one;
            refuse(missing, "is missing: " + given.key() + " is set, and needs it.", "Set both or neither.");
        }
    }

    /** At most one of two keys that say the same. */
    void notBoth(Setting<?> one, Setting<?> other) {
        if (values.isGiven(one) && values.isGiven(other)) {
            refuse(one, "may not be set together with " + other.key() + ".", "Keep one of the two.");
        }
    }

    /** A key that means nothing without another one. */
    void needs(Setting<?> one, Setting<?> required) {
        if (values.isGiven(one) && !values.isGiven(required)) {
            refuse(
                    required,
                    "is missing: " + one.key() + " is set, and needs it.",
                    "Set it, or remove " + one.key() + ".");
        }
    }

    void required(Setting<?> setting, String why) {
        if (!values.isGiven(setting)) {
            refuse(setting, "is missing: " + why + " needs it.", "Set it, for example to " + setting.example() + ".");
        }
    }

    void atMost(Setting<Duration> setting, Duration limit, String rule, String remedy) {
        if (values.get(setting).compareTo(limit) > 0) {
            refuse(setting, rule, remedy);
        }
    }

    /** Reports a key with its value in effect. */
    void refuse(Setting<?> setting, String rule, String remedy) {
        Fault fault = values.given(setting)
                .map(g -> Fault.of(setting.key(), setting.shown(g.text()), g.origin(), rule, remedy))
                .or(() -> setting.defaultText().map(text -> Fault.of(setting.key(), text, "default", rule, remedy)))
                .orElseGet(() -> Fault.of(setting.key(), rule, remedy));
        values.faults().add(fault);
    }
}
