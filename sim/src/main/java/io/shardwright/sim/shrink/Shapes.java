package io.shardwright.sim.shrink;

import io.shardwright.sim.plan.Fault;
import io.shardwright.sim.plan.Fault.Kind;
import io.shardwright.sim.plan.Plan;
import io.shardwright.sim.plan.Shape;
import io.shardwright.sim.plan.Shape.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Smaller plans. Each leaves out the faults that would name what is not there. */
final class Shapes {

    private static final long MILLI = 1_000_000L;

    private Shapes() {}

    static Shape lasting(Shape shape, long faulty, long quiet) {
        return shape.lasting(Duration.ofNanos(Math.max(0, faulty)), Duration.ofNanos(Math.max(0, quiet)));
    }

    /** Says whether a fault belongs to the quiet phase: a machine is gone for good, and the rest has to do without. */
    static boolean forGood(Fault fault, Shape shape) {
        return fault.start() >= shape.faulty().toNanos();
    }

    /**
     * Says whether a plan is one that can be read again, and leaves somebody in the quiet phase. One that takes
     * everybody away fails, and says nothing.
     */
    static boolean sound(Plan plan) {
        if (!plan.namesWhatIsThere()) { // the one fault of a twin may be left when its beginning is gone
            return false;
        }
        TreeSet<String> gone = new TreeSet<>();
        plan.faults().stream()
                .filter(fault -> forGood(fault, plan.shape()))
                .forEach(fault -> gone.addAll(fault.targets()));
        return left(Role.REPLICA, gone, plan.shape()) && left(Role.EXECUTOR, gone, plan.shape());
    }

    private static boolean left(Role role, TreeSet<String> gone, Shape shape) {
        return gone.stream()
                        .filter(machine -> Role.of(machine).equals(Optional.of(role)))
                        .count()
                < shape.count(role);
    }

    /**
     * Shortens the phases: what no longer fits goes, and what is for good moves to the new quiet phase, if there is
     * one.
     */
    static Plan lasting(Plan plan, Shape shorter) {
        long before = plan.shape().faulty().toNanos();
        long end = shorter.faulty().toNanos();
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : plan.faults()) {
            if (forGood(fault, plan.shape())) {
                if (!shorter.quiet().isZero()) {
                    faults.add(moved(fault, end - before));
                }
            } else if (fault.start() < end) {
                faults.add(fault.lasting(Math.min(fault.length(), end - fault.start())));
            }
        }
        return new Plan(plan.seed(), shorter, faults);
    }

    /**
     * Leaves of the faulty phase what touches a window of time, and moves it close to the beginning.
     *
     * @param lead how long after the beginning of the run the window begins
     */
    static Plan window(Plan plan, long from, long to, long lead) {
        List<Fault> faults = new ArrayList<>();
        long end = lead + to - from;
        for (Fault fault : plan.faults()) {
            if (forGood(fault, plan.shape())) {
                faults.add(moved(fault, end - plan.shape().faulty().toNanos()));
            } else if (fault.start() <= to && fault.end() >= from) {
                long start = Math.max(fault.start(), from);
                Fault inside = fault.lasting(Math.min(fault.end(), to) - start);
                faults.add(moved(inside, start - from + lead - inside.start()));
            }
        }
        Shape shape = lasting(plan.shape(), end, plan.shape().quiet().toNanos());
        return new Plan(plan.seed(), shape, faults);
    }

    private static Fault moved(Fault fault, long nanos) {
        return new Fault(fault.start() + nanos, fault.length(), fault.kind(), fault.targets(), fault.amount());
    }

    /** Gives the machines that faults name the lowest numbers, and leaves the other ones out, but for one more each. */
    static Plan compact(Plan plan) {
        TreeMap<String, String> names = new TreeMap<>();
        Shape shape = plan.shape();
        for (Role role : Role.values()) {
            TreeSet<Integer> numbers = new TreeSet<>();
            for (Fault fault : plan.faults()) {
                for (String target : fault.targets()) {
                    if (Role.of(target).equals(Optional.of(role))) {
                        numbers.add(role.number(target));
                    }
                }
            }
            int used = 0;
            for (int number : numbers) {
                names.put(role.name(number), role.name(used++));
            }
            boolean needed = role == Role.REPLICA || role == Role.EXECUTOR;
            shape = shape.with(role, Math.min(shape.count(role), needed ? used + 1 : used));
        }
        List<Fault> renamed = plan.faults().stream()
                .map(fault -> new Fault(
                        fault.start(),
                        fault.length(),
                        fault.kind(),
                        fault.targets().stream()
                                .map(target -> renamed(target, names))
                                .toList(),
                        fault.amount()))
                .toList();
        return resize(plan.with(renamed), shape);
    }

    private static String renamed(String machine, Map<String, String> names) {
        String original = Shape.original(machine);
        return names.getOrDefault(original, original) + machine.substring(original.length());
    }

    /** Leaves out what is not in a smaller shape. */
    static Plan resize(Plan plan, Shape shape) {
        return new Plan(
                plan.seed(),
                shape,
                plan.faults().stream()
                        .filter(fault -> fault.targets().stream().allMatch(target -> exists(target, shape)))
                        .toList());
    }

    private static boolean exists(String machine, Shape shape) {
        return Role.of(machine)
                .map(role -> role.number(machine) < shape.count(role))
                .orElse(true);
    }

    /** Moves a fault and all of the faulty phase that follow it to an earlier time. */
    static Plan earlier(Plan plan, int first, long nanos) {
        List<Fault> moved = new ArrayList<>(plan.faults());
        for (int i = first; i < moved.size(); i++) {
            if (!forGood(moved.get(i), plan.shape())) {
                moved.set(i, moved(moved.get(i), -nanos));
            }
        }
        return plan.with(moved);
    }

    /** Half as long, in whole milliseconds; the same when it cannot be shorter. */
    static Fault shorter(Fault fault) {
        long half = fault.length() / 2 / MILLI * MILLI;
        return half < 10 * MILLI ? fault : fault.lasting(half);
    }

    /** Half as strong, where the amount says how strong. */
    static Fault lower(Fault fault) {
        double amount = fault.kind() == Kind.CLOCK_RATE ? 1 + (fault.amount() - 1) / 2 : fault.amount() / 2;
        return Math.abs(amount - fault.amount()) < 1e-4 || !fault.kind().allows(amount)
                ? fault
                : new Fault(fault.start(), fault.length(), fault.kind(), fault.targets(), amount);
    }
}
