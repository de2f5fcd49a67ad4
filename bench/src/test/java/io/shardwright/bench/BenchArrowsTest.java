package io.shardwright.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The arrows of the benchmarks, which the server's {@code ModuleArrowsTest} cannot see. */
final class BenchArrowsTest {

    @Test
    void benchmarksSeeWhatTheyMeasureAndNotTheTools() {
        // Names are enough here; to read what they stand for takes seconds.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        classes()
                .that()
                .resideInAPackage("io.shardwright.bench..")
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage("io.shardwright.."))
                        .or(resideInAnyPackage(
                                "io.shardwright.bench..",
                                "io.shardwright.proto..",
                                "io.shardwright.domain..",
                                "io.shardwright.persistence..",
                                "io.shardwright.election..",
                                "io.shardwright.control..",
                                "io.shardwright.rpc..",
                                "io.shardwright.client..",
                                "io.shardwright.testkit..")))
                .because("of the arrows of docs/architecture.md, section 2")
                .check(new ClassFileImporter().importPath(Path.of("target/classes")));
    }
}
