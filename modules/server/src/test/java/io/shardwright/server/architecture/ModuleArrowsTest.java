package io.shardwright.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the dependency arrows of the architecture page, section 2: what each module may see of the others. */
final class ModuleArrowsTest {
    private static final String ROOT = "io.shardwright.";

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.shardwright");

    /**
     * Module to the modules it may see, itself left out. The benchmarks, not on this classpath, have a test of their
     * own.
     */
    private static final Map<String, List<String>> ARROWS = new TreeMap<>(Map.ofEntries(
            entry("proto", List.of()),
            entry("domain", List.of()),
            entry("testkit", List.of("domain")),
            entry("persistence", List.of("domain")),
            entry("election", List.of("persistence", "domain")),
            entry("control", List.of("election", "persistence", "domain")),
            entry("rpc", List.of("proto", "control", "election", "persistence", "domain")),
            entry("client", List.of("proto", "domain")),
            entry("canary", List.of("client", "proto", "domain")),
            entry("cli", List.of("proto")),
            entry("sim", List.of("proto", "domain", "persistence", "election", "control", "rpc.service", "client")),
            entry(
                    "server",
                    List.of(
                            "proto",
                            "domain",
                            "persistence",
                            "election",
                            "control",
                            "rpc",
                            "client",
                            "canary",
                            "sim"))));

    /** Library to the packages that may use it, where the library is a technology that must stay at the edge. */
    private static final Map<String, List<String>> TECHNOLOGIES = new TreeMap<>(Map.of(
            "java.sql..", List.of("persistence.jdbc..", "client..", "canary.executor.."),
            "javax.sql..", List.of("persistence.jdbc..", "client..", "canary.executor.."),
            "com.zaxxer..", List.of("persistence.jdbc.."),
            "org.flywaydb..", List.of("persistence.jdbc.."),
            "io.etcd..", List.of("persistence.etcd..", "client..", "testkit..", "sim.cluster..", "sim.mutant.."),
            "io.helidon..", List.of("rpc..", "server.."),
            "io.grpc..",
                    List.of(
                            "proto..",
                            "rpc..",
                            "client..",
                            "canary..",
                            "cli..",
                            "server..",
                            "persistence.etcd..",
                            "sim..",
                            "testkit.."),
            "picocli..", List.of("canary..", "cli..", "server..", "sim.command..")));

    @TestFactory
    Stream<DynamicTest> aModuleSeesOnlyTheModulesItsArrowsPointTo() {
        return ARROWS.entrySet().stream()
                .map(arrow -> dynamicTest(
                        arrow.getKey(),
                        () -> arrow(arrow.getKey(), arrow.getValue()).check(OURS)));
    }

    private static ArchRule arrow(String module, List<String> others) {
        List<String> allowed = new ArrayList<>(others);
        allowed.add(module);
        return classes()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .onlyDependOnClassesThat(ofOtherOrigin().or(resideInAnyPackage(packages(allowed))))
                .because("of the arrows of docs/architecture.md, section 2: move the class or ask the inner module");
    }

    @TestFactory
    Stream<DynamicTest> aTechnologyStaysInThePackagesThatAreNamedForIt() {
        return TECHNOLOGIES.entrySet().stream()
                .map(technology -> dynamicTest(
                        technology.getKey(),
                        () -> technology(technology.getKey(), technology.getValue())
                                .check(OURS)));
    }

    private static ArchRule technology(String library, List<String> users) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(packages(users))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because("adapters keep their technology to themselves");
    }

    @Test
    void codeThatDecidesIsHandedItsClockAndLoop() {
        determinism().check(OURS);
    }

    private static ArchRule determinism() {
        return noClasses()
                .that(resideInAnyPackage(packages(List.of("domain", "persistence", "election", "control")))
                        .and(not(resideInAnyPackage(
                                packages(List.of("domain.system", "persistence.jdbc", "persistence.etcd"))))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "domain.system..")
                .because("of the determinism rule of docs/architecture.md, section 3");
    }

    @Test
    void clientsLogThroughSystemLoggerOnly() {
        logging().check(OURS);
    }

    private static ArchRule logging() {
        return noClasses()
                .that()
                .resideInAPackage(ROOT + "client..")
                .should(ACCESS_STANDARD_STREAMS)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.util.logging..", "org.slf4j..", "org.apache.logging..", "org.apache.commons.logging..")
                .because("the application that embeds them chooses its logging");
    }

    /** The scratch packages among these tests hold a class that breaks each rule. */
    @Test
    void eachRuleRefusesAClassThatBreaksIt() {
        JavaClasses scratch = new ClassFileImporter()
                .importPaths(
                        "target/test-classes/io/shardwright/client/scratch",
                        "target/test-classes/io/shardwright/domain/scratch");
        for (ArchRule rule : List.of(
                arrow("client", List.of("proto", "domain")),
                technology("javax.sql..", List.of("persistence.jdbc..")),
                determinism(),
                logging())) {
            AssertionError refused = assertThrows(AssertionError.class, () -> rule.check(scratch));
            assertTrue(String.valueOf(refused.getMessage()).contains("scratch.OutOfBounds"), refused::toString);
        }
    }

    @Test
    void everyModuleOnTheClasspathHasItsArrows() {
        TreeSet<String> found = new TreeSet<>();
        for (JavaClass ours : OURS) {
            String inside = ours.getPackageName().substring(ROOT.length());
            int end = inside.indexOf('.');
            found.add(end < 0 ? inside : inside.substring(0, end));
        }
        assertEquals(ARROWS.keySet(), found);
    }

    @Test
    void everyPackageHasAFirstPage() {
        TreeSet<String> without = new TreeSet<>();
        for (JavaClass ours : OURS) {
            var home = ours.getPackage();
            if (!isGenerated(home.getName()) && !home.isAnnotatedWith(NullMarked.class)) {
                without.add(home.getName());
            }
        }
        assertEquals(new TreeSet<>(), without, "packages without a package-info.java that is @NullMarked");
    }

    private static boolean isGenerated(String packageName) {
        return packageName.startsWith(ROOT + "proto") || packageName.startsWith(ROOT + "control.stored");
    }

    private static DescribedPredicate<JavaClass> ofOtherOrigin() {
        return not(resideInAnyPackage(ROOT + "."));
    }

    private static String[] packages(List<String> modules) {
        return modules.stream()
                .map(module -> ROOT + module + (module.endsWith("..") ? "" : ".."))
                .toArray(String[]::new);
    }
}
