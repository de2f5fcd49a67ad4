package io.shardwright.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code build/launch.sh} makes of the machine that it finds; the JDKs here are directories that claim to be one.
 */
final class LauncherTest {

    @TempDir
    Path machine;

    @Test
    void theJdkThatIsAskedForByNameIsTaken() throws Exception {
        Path asked = jdk("asked", "21.0.1");
        Path other = jdk("other", "25.0.1");
        Map<String, String> environment =
                Map.of("SHARDWRIGHT_JAVA_HOME", asked.toString(), "JAVA_HOME", other.toString());
        assertEquals(new Run(0, asked.toString(), ""), run(environment, "find_java"));
    }

    @Test
    void aJdkThatIsAskedForAndIsTooOldIsAnErrorWithItsRemedy() throws Exception {
        Path old = jdk("old", "17.0.9");
        Run run = run(Map.of("SHARDWRIGHT_JAVA_HOME", old.toString()), "find_java");
        assertEquals(2, run.exitCode());
        assertTrue(
                run.err().contains("SHARDWRIGHT_JAVA_HOME=" + old + " is not a JDK of version 21 or later"), run.err());
    }

    @Test
    void aDefaultThatIsTooOldIsPassedOverForTheNewestInAUsualPlace() throws Exception {
        Path old = jdk("old", "17.0.9");
        Path home = machine.resolve("home");
        Path newest = jdk("home/.sdkman/candidates/java/99", "99.0.1");
        jdk("home/.jdks/98", "98.0.1");
        Map<String, String> environment = Map.of(
                "HOME", home.toString(), "JAVA_HOME", old.toString(), "PATH", old.resolve("bin") + ":/usr/bin:/bin");
        assertEquals(new Run(0, newest.toString(), ""), run(environment, "find_java"));
    }

    @Test
    void theJavaOfThePathIsTakenThroughItsLinks() throws Exception {
        Path real = jdk("real", "21.0.2");
        Path bin = Files.createDirectories(machine.resolve("links"));
        Files.createSymbolicLink(machine.resolve("once"), real.resolve("bin/java"));
        Files.createSymbolicLink(bin.resolve("java"), Path.of("../once"));
        assertEquals(
                new Run(0, real.toRealPath().toString(), ""), run(Map.of("PATH", bin + ":/usr/bin:/bin"), "find_java"));
    }

    @Test
    void aBuildIsStaleFromTheChangeOfASourceOn() throws Exception {
        Path source =
                Files.createDirectories(machine.resolve("one/src/main/java")).resolve("A.java");
        Files.writeString(source, "class A {}");
        Files.writeString(machine.resolve("pom.xml"), "<project/>");
        Files.createDirectories(machine.resolve("one/target/lib"));
        String check = "cd " + machine + "; MODULE=one; SOURCES=(one); is_stale && echo stale || echo fresh";
        assertEquals("stale", run(Map.of(), check).out().strip(), "never built");
        String build = "sleep 0.05; touch " + machine + "/one/target/launcher-built; ";
        assertEquals("fresh", run(Map.of(), build + check).out().strip());
        String change = "sleep 0.05; touch " + source + "; ";
        assertEquals("stale", run(Map.of(), change + check).out().strip(), "a source changed");
        assertEquals("fresh", run(Map.of(), build + check).out().strip());
        assertEquals(
                "stale",
                run(Map.of(), "sleep 0.05; rm " + source + "; " + check).out().strip(),
                "one is gone");
    }

    /** A copy of what is typed, with a build and a Java that only say how they were called. */
    private void checkout() throws IOException {
        Path root = Checkout.root();
        Files.createDirectories(machine.resolve("build"));
        for (String file : List.of("shardwright", "shardctl", "build/launch.sh")) {
            Files.copy(root.resolve(file), machine.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (String source :
                List.of("proto", "modules/server", "modules/rpc", "modules/client", "cli", "canary", "sim")) {
            Files.createDirectories(machine.resolve(source));
        }
        Files.writeString(machine.resolve("pom.xml"), "<project/>");
        Path build = machine.resolve("mvnw");
        Files.writeString(build, """
                #!/bin/sh
                echo "$*" >>builds
                mkdir -p modules/server/target/lib cli/target/lib
                touch modules/server/target/shardwright-server-1.jar cli/target/shardwright-cli-1.jar
                touch modules/server/target/lib/a.jar cli/target/lib/a.jar
                """);
        Path java = jdk("jdk", "25.0.1").resolve("bin/java");
        Files.writeString(java, """
                #!/bin/sh
                for argument in "$@"; do
                  case $argument in
                    -XX:ArchiveClassesAtExit=*)
                      echo trained | tee -a "$HOME/trainings" >"${argument#*=}"
                      echo 'ready grpc=1'
                      exit 0 ;;
                  esac
                done
                for argument in "$@"; do echo "<$argument>"; done
                exit 7
                """);
        assertTrue(build.toFile().setExecutable(true));
        assertTrue(java.toFile().setExecutable(true));
    }

    @ParameterizedTest
    @CsvSource({"shardwright, io.shardwright.server.Main, modules/server", "shardctl, io.shardwright.cli.Shardctl, cli"
    })
    void whatIsTypedIsBuiltOnceAndGetsItsArgumentsAndGivesItsExitCode(String command, String main, String module)
            throws Exception {
        checkout();
        Map<String, String> environment = Map.of(
                "SHARDWRIGHT_JAVA_HOME", machine.resolve("jdk").toString(), "SHARDWRIGHT_JAVA_OPTS", "-Xmx1g -ea");
        String typed = "cd build; ../" + command + " server --namespace 'a b' \\* '' 2>>../err.txt";
        for (int i = 0; i < 2; i++) {
            Run run = run(environment, typed);
            assertEquals(7, run.exitCode(), run::toString);
            String end = "<-cp>\n<" + machine + "/" + module + "/target/shardwright-" + module.replaceFirst(".*/", "")
                    + "-1.jar:" + machine + "/" + module + "/target/lib/a.jar>\n<" + main
                    + ">\n<server>\n<--namespace>\n<a b>\n<*>\n<>\n";
            assertTrue(run.out().endsWith(end), run::toString);
            assertTrue(run.out().contains("<-Xmx1g>\n<-ea>\n"), run::toString);
            assertEquals(1, Files.readAllLines(machine.resolve("builds")).size(), "built once");
        }
        assertTrue(Files.readString(machine.resolve("builds")).contains("-pl " + module + " -am package"));
    }

    @Test
    void aServerThatIsTypedMakesItsArchiveOfClassesOnceAndUsesIt() throws Exception {
        checkout();
        Map<String, String> environment =
                Map.of("SHARDWRIGHT_JAVA_HOME", machine.resolve("jdk").toString());
        Path archive = machine.resolve("modules/server/target/startup-25.0.1.jsa");
        assertEquals(7, run(environment, "./shardwright --help").exitCode());
        assertFalse(Files.exists(archive), "who asks for help does not wait for it");
        for (int i = 0; i < 2; i++) {
            Run run = run(environment, "./shardwright server");
            assertEquals(7, run.exitCode(), run::toString);
            assertTrue(run.out().contains("<-XX:SharedArchiveFile=" + archive + ">"), run::toString);
            assertEquals(1, Files.readAllLines(machine.resolve("trainings")).size());
        }
        Run own = run(
                Map.of(
                        "SHARDWRIGHT_JAVA_HOME",
                        machine.resolve("jdk").toString(),
                        "SHARDWRIGHT_JAVA_OPTS",
                        "-Xshare:off"),
                "./shardwright server");
        assertFalse(own.out().contains("SharedArchiveFile"), own::toString);
    }

    @Test
    void aBuildThatFailsIsAnErrorWithItsLogAndIsTriedAgain() throws Exception {
        checkout();
        Files.writeString(machine.resolve("mvnw"), "echo '[ERROR] no such symbol'; echo >>builds; exit 1\n");
        Map<String, String> environment =
                Map.of("SHARDWRIGHT_JAVA_HOME", machine.resolve("jdk").toString());
        for (int i = 1; i <= 2; i++) {
            Run run = run(environment, "./shardwright server");
            assertEquals(2, run.exitCode(), run::toString);
            assertTrue(run.err().contains("[ERROR] no such symbol"), run::toString);
            assertTrue(run.err().contains("the build failed; the whole log is " + machine), run::toString);
            assertEquals(i, Files.readAllLines(machine.resolve("builds")).size());
        }
    }

    private record Run(int exitCode, String out, String err) {}

    private Path jdk(String name, String version) throws IOException {
        Path home = machine.resolve(name);
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 1\n");
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private Run run(Map<String, String> environment, String script) throws IOException, InterruptedException {
        Path err = machine.resolve("err.txt");
        ProcessBuilder bash = new ProcessBuilder(
                        "bash",
                        "-euo",
                        "pipefail",
                        "-c",
                        "NAME=test; . '" + Checkout.root().resolve("build/launch.sh") + "'; " + script)
                .directory(machine.toFile())
                .redirectError(err.toFile());
        Map<String, String> all = new TreeMap<>(Map.of("PATH", "/usr/bin:/bin", "HOME", machine.toString()));
        all.putAll(environment);
        bash.environment().clear();
        bash.environment().putAll(all);
        Process process = bash.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), script);
        return new Run(process.exitValue(), out, Files.readString(err));
    }
}
