package io.shardwright.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.ErrorInfo;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import de.thetaphi.forbiddenapis.Checker;
import de.thetaphi.forbiddenapis.ForbiddenApiException;
import de.thetaphi.forbiddenapis.Logger;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The build would see what the determinism rule forbids, and looks where deterministic code is. What signatures of
 * single calls cannot say is a rule here.
 */
final class DeterminismRuleTest {

    private static final Path ROOT = Path.of("../..");
    private static final String OURS = "io.shardwright.";
    private static final String SCRATCH = "target/test-classes/io/shardwright/domain/scratch";

    /** Single classes that the build leaves out: each makes something of production that the simulator replaces. */
    private static final Set<String> EXEMPT = Set.of(
            "io/shardwright/client/grpc/ConnectionOptions*.class",
            "io/shardwright/client/grpc/TlsOptions*.class",
            "io/shardwright/rpc/service/StreamThreads*.class");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.shardwright");

    private static final DescribedPredicate<JavaClass> SIMULATED = resideInAnyPackage(
                    OURS + "domain..",
                    OURS + "persistence..",
                    OURS + "election..",
                    OURS + "control..",
                    OURS + "client.lease..",
                    OURS + "client.routing..",
                    OURS + "client.grpc..",
                    OURS + "rpc.service..",
                    OURS + "sim..")
            .and(not(resideInAnyPackage(
                    OURS + "domain.system..",
                    OURS + "persistence.jdbc..",
                    OURS + "persistence.etcd..",
                    OURS + "control.stored..", // generated
                    OURS + "sim.command..",
                    OURS + "sim.report..")));

    private final List<String> found = new ArrayList<>();
    private final Logger log = new Logger() {
        @Override
        public void error(String line) {
            found.add(line);
        }

        @Override
        public void warn(String line) {}

        @Override
        public void info(String line) {}

        @Override
        public void debug(String line) {}
    };

    @Test
    void eachKindOfForbiddenCallIsFound() throws Exception {
        Checker checker = new Checker(
                log,
                DeterminismRuleTest.class.getClassLoader(),
                Checker.Option.FAIL_ON_VIOLATION,
                Checker.Option.FAIL_ON_UNRESOLVABLE_SIGNATURES);
        checker.addBundledSignatures("jdk-unsafe-17", null);
        checker.parseSignaturesFile(
                ROOT.resolve("build/determinism-signatures.txt").toFile());
        try (InputStream scratch =
                DeterminismRuleTest.class.getResourceAsStream("/io/shardwright/domain/scratch/OutOfBounds.class")) {
            checker.streamReadClassToCheck(Objects.requireNonNull(scratch), "OutOfBounds");
        }
        assertThrows(ForbiddenApiException.class, checker::run);
        String all = String.join("\n", found);
        for (String call : List.of(
                "java.lang.System#nanoTime",
                "java.util.Random",
                "java.util.UUID#randomUUID",
                "java.util.HashMap#<init>",
                "java.util.Set#of",
                "java.lang.System#identityHashCode",
                "java.lang.Enum#hashCode",
                "java.util.Objects#hash",
                "java.lang.Thread",
                "java.lang.Object#wait",
                "java.util.concurrent.locks.Condition",
                "java.util.concurrent.CompletableFuture#runAsync",
                "java.util.Locale#getDefault",
                "java.util.TimeZone#getDefault",
                "java.lang.System#lineSeparator",
                "java.lang.Runtime#availableProcessors",
                "java.lang.ThreadLocal",
                "io.grpc.Deadline#getSystemTicker",
                "java.net.ServerSocket")) {
            assertTrue(all.contains(call), call + " is not in " + all);
        }
    }

    @Test
    void noSimulatedClassUsesAHashOfIdentity() {
        identityHashes().check(CLASSES);
    }

    /** The signature of Object.hashCode would find each switch over strings as well. */
    private static ArchRule identityHashes() {
        return noClasses()
                .that(SIMULATED)
                .should()
                .accessTargetWhere(describe("a hash code that no class defined", access -> {
                    return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                            && target.getName().equals("hashCode")
                            && target.getRawParameterTypes().isEmpty()
                            && target.resolveMember()
                                    .map(method -> method.getOwner().isEquivalentTo(Object.class)
                                            || method.getOwner().isEquivalentTo(Enum.class))
                                    .orElse(true);
                }))
                .because("it is drawn once per object or process");
    }

    @Test
    void noSimulatedClassMakesAHashMapByItsNewerName() {
        newHashMaps().check(CLASSES);
    }

    /** Maven may run on a JDK that does not know these methods, and a signature must be known. */
    private static ArchRule newHashMaps() {
        return noClasses()
                .that(SIMULATED)
                .should()
                .accessTargetWhere(describe(
                        "HashMap.newHashMap or HashSet.newHashSet",
                        access -> (access.getTarget().getName().equals("newHashMap")
                                        && access.getTargetOwner().isEquivalentTo(HashMap.class))
                                || (access.getTarget().getName().equals("newHashSet")
                                        && access.getTargetOwner().isEquivalentTo(HashSet.class))))
                .because("their order is not defined");
    }

    @Test
    void noSimulatedClassKeepsSomethingFromOneRunToTheNext() {
        mutableStatics().check(CLASSES);
    }

    private static ArchRule mutableStatics() {
        DescribedPredicate<JavaClass> holders = resideInAnyPackage("java.util.concurrent.atomic..")
                .or(describe(
                        "collections that can be changed",
                        type -> !type.isInterface()
                                && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class))))
                .or(describe("text that can be changed", type -> type.isAssignableTo(Appendable.class)));
        return fields().that()
                .areDeclaredInClassesThat(SIMULATED)
                .and()
                .areStatic()
                .should()
                .beFinal()
                .andShould()
                .notHaveRawType(holders)
                .because("seeds of one process would depend on each other");
    }

    @Test
    void noMessageHasAMapWhoseOrderWouldBeThatOfItsSender() {
        mapsInMessages(OURS + "proto..", OURS + "control.stored..").check(CLASSES);
    }

    private static ArchRule mapsInMessages(String... packages) {
        return noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(packages)
                .should()
                .haveRawType("com.google.protobuf.MapField")
                .because("the bytes of such a message are not defined: use a repeated field of sorted entries");
    }

    @Test
    void eachRuleRefusesAClassThatBreaksIt() {
        JavaClasses scratch = new ClassFileImporter().importPaths(SCRATCH);
        assertRefuses(identityHashes(), scratch, "OutOfBounds.hashOfIdentity", "OutOfBounds.hashOfReference");
        assertRefuses(newHashMaps(), scratch, "OutOfBounds.unorderedByItsNewerName");
        assertRefuses(mutableStatics(), scratch, "OutOfBounds.runs", "OutOfBounds.SEEN", "OutOfBounds.COUNT");
        assertRefuses(
                mapsInMessages("com.google.rpc.."),
                new ClassFileImporter().importClasses(ErrorInfo.class),
                "ErrorInfo");
    }

    private static void assertRefuses(ArchRule rule, JavaClasses classes, String... places) {
        AssertionError refused = assertThrows(AssertionError.class, () -> rule.check(classes));
        for (String place : places) {
            assertTrue(String.valueOf(refused.getMessage()).contains(place), () -> place + " is not in " + refused);
        }
    }

    @Test
    void theBuildChecksEachPackageThatTheSimulatorRuns() throws Exception {
        TreeSet<String> seen = new TreeSet<>();
        ArrayDeque<String> open = new ArrayDeque<>();
        CLASSES.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(OURS + "sim.")
                        && !name.equals(OURS + "sim.command")
                        && !name.equals(OURS + "sim.report"))
                .forEach(open::add);
        List<String> unchecked = new ArrayList<>();
        while (!open.isEmpty()) {
            String name = open.remove();
            if (seen.add(name)) {
                if (!isChecked(name)) {
                    unchecked.add(name);
                }
                CLASSES.stream()
                        .filter(one -> one.getPackageName().equals(name) && !isExempt(one))
                        .flatMap(one -> one.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> dependency.getTargetClass().getPackageName())
                        .filter(other -> other.startsWith(OURS) && !isGenerated(other))
                        .forEach(open::add);
            }
        }
        assertEquals(List.of(), unchecked);
        assertTrue(
                seen.containsAll(List.of(OURS + "client.grpc", OURS + "rpc.service", OURS + "domain")),
                () -> "" + seen);
    }

    private static boolean isExempt(JavaClass one) {
        return EXEMPT.stream()
                .anyMatch(
                        name -> one.getName().startsWith(name.replace('/', '.').replaceAll("[*]?[.]class$", "")));
    }

    private static boolean isGenerated(String name) {
        return name.startsWith(OURS + "proto.") || name.startsWith(OURS + "control.stored.");
    }

    private static boolean isChecked(String name) throws IOException {
        String module = name.substring(OURS.length()).replaceAll("[.].*", "");
        String pom = Files.readString(
                ROOT.resolve(module.equals("sim") ? "sim" : "modules/" + module).resolve("pom.xml"));
        int begin = pom.indexOf("<artifactId>forbiddenapis</artifactId>");
        if (begin < 0) {
            return false;
        }
        String plugin = pom.substring(begin, pom.indexOf("</plugin>", begin));
        List<String> included = patterns(plugin, "include");
        return (included.isEmpty() || included.stream().anyMatch(pattern -> covers(pattern, name)))
                && patterns(plugin, "exclude").stream().noneMatch(pattern -> covers(pattern, name));
    }

    private static boolean covers(String pattern, String name) {
        return pattern.endsWith("/**")
                && (name.replace('.', '/') + "/").startsWith(pattern.substring(0, pattern.length() - 2));
    }

    private static List<String> patterns(String plugin, String tag) {
        return Pattern.compile("<" + tag + ">(.*?)</" + tag + ">")
                .matcher(plugin)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void noOtherClassIsLeftOutByItself() throws Exception {
        TreeSet<String> left = new TreeSet<>();
        for (String module : List.of("domain", "persistence", "election", "control", "client", "rpc")) {
            left.addAll(classesLeftOut("modules/" + module));
        }
        left.addAll(classesLeftOut("sim"));
        assertEquals(new TreeSet<>(EXEMPT), left);
    }

    private static List<String> classesLeftOut(String module) throws IOException {
        return patterns(Files.readString(ROOT.resolve(module).resolve("pom.xml")), "exclude").stream()
                .filter(pattern -> pattern.endsWith(".class"))
                .toList();
    }

    @Test
    void theCheckIsPartOfTheBuild() throws Exception {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        String plugin = parent.substring(parent.indexOf("<!-- The determinism rule."));
        plugin = plugin.substring(0, plugin.indexOf("</plugin>"));
        assertTrue(
                plugin.contains("<goal>check</goal>")
                        && plugin.contains("build/determinism-signatures.txt")
                        && plugin.contains("<bundledSignature>jdk-unsafe-17</bundledSignature>"),
                plugin);
    }
}
