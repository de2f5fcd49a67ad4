package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardwright.testkit.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules that tie keys to each other and to files. */
final class ConfigRulesTest {
    @TempDir
    Path directory;

    @BeforeEach
    void writeFiles() throws Exception {
        Files.writeString(directory.resolve("junk"), "-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----");
        Certificates.Pair pair = Certificates.SERVER.pair();
        Files.copy(pair.certificate(), directory.resolve("crt"));
        Files.copy(pair.key(), directory.resolve("key"));
        Files.writeString(directory.resolve("empty"), "\n");
        Files.writeString(directory.resolve("big"), "x".repeat(5000));
    }

    /** {@code DIR} stands for the directory of the test. One line of settings gives exactly one fault. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
          grpc.tls.cert-file=DIR/crt | grpc.tls.key-file: is missing: grpc.tls.cert-file is set, and needs it.
          grpc.tls.key-file=DIR/key  | grpc.tls.cert-file: is missing: grpc.tls.key-file is set, and needs it.
          grpc.tls.client-ca-file=DIR/crt | grpc.tls.cert-file: is missing: grpc.tls.client-ca-file is set, and needs it.
          grpc.tls.require-client-cert=true | grpc.tls.client-ca-file: is missing: grpc.tls.require-client-cert is set
          grpc.tls.cert-file=DIR/crt grpc.tls.key-file=DIR/none | grpc.tls.key-file = DIR/none (flag --set): must be a file that this user may read.
          grpc.tls.cert-file=DIR grpc.tls.key-file=DIR/key | grpc.tls.cert-file = DIR (flag --set): must be a file that this user may read.
          grpc.tls.cert-file=DIR/junk grpc.tls.key-file=DIR/key | grpc.tls.cert-file = DIR/junk (flag --set): holds no certificate that can be read.
          grpc.tls.cert-file=DIR/crt grpc.tls.key-file=DIR/crt | grpc.tls.key-file = DIR/crt (flag --set): holds no private key that can be read.
          grpc.tls.cert-file=DIR/crt grpc.tls.key-file=DIR/key grpc.tls.client-ca-file=DIR/junk | grpc.tls.client-ca-file = DIR/junk (flag --set): holds no certificate that can be read.
          http.port=9002 | http.port = 9002 (flag --set): is the port of grpc.port too.
          grpc.port=8081 | http.port = 8081 (default): is the port of grpc.port too.
          persistence.type=sqlite persistence.sqlite.file=DIR | persistence.sqlite.file = DIR (flag --set): is a directory, but must be a file.
          persistence.type=sqlite persistence.sqlite.file=DIR/no/x.db | needs a directory that exists: there is no DIR/no.
          persistence.type=postgres | persistence.postgres.url: is missing: persistence.type postgres needs it.
          persistence.type=etcd | persistence.etcd.endpoints: is missing: persistence.type etcd needs it.
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.user=u | persistence.postgres.password: is missing: persistence.postgres.user is set
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.password=p | persistence.postgres.user: is missing: persistence.postgres.password is set
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.user=u persistence.postgres.password=p persistence.postgres.password-file=DIR/key | persistence.postgres.password = (hidden) (flag --set): may not be set together with persistence.postgres.password-file.
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.user=u persistence.postgres.password-file=DIR/none | persistence.postgres.password-file = DIR/none (flag --set): does not exist.
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.user=u persistence.postgres.password-file=DIR/empty | persistence.postgres.password-file = DIR/empty (flag --set): holds no password.
          persistence.type=postgres persistence.postgres.url=jdbc:postgresql://d/x persistence.postgres.user=u persistence.postgres.password-file=DIR/big | is larger than 4096 bytes, too long for a password.
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 grpc.advertised-host= | grpc.advertised-host: is missing: persistence.type etcd needs it.
          grpc.advertised-host=0.0.0.0 | grpc.advertised-host = 0.0.0.0 (flag --set): is the address of every machine
          grpc.advertised-host=:: grpc.bind-address=:: | grpc.advertised-host = :: (flag --set): is the address of every machine
          grpc.advertised-host=2001:db8::7 | is an IPv6 address, but grpc.bind-address is 0.0.0.0: nothing listens there. Set grpc.bind-address to `::`
          grpc.advertised-host=a grpc.advertised-port=0 | grpc.advertised-port = 0 (flag --set): must be a whole number from 1 to 65535.
          grpc.advertised-port=9002 | grpc.advertised-host: is missing: grpc.advertised-port is set, and needs it.
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.username=u persistence.etcd.password=p | must be https:// when persistence.etcd.username is set: the password and every token would cross the network in clear.
          persistence.type=etcd persistence.etcd.endpoints=https://a:1 | must all be http://: persistence.etcd.tls.ca-cert-file is not set.
          persistence.type=etcd persistence.etcd.endpoints=https://a:1,http://b:1 persistence.etcd.tls.ca-cert-file=DIR/crt | must all be https://: persistence.etcd.tls.ca-cert-file is set.
          persistence.type=etcd persistence.etcd.endpoints=https://a:1 persistence.etcd.tls.ca-cert-file=DIR/crt persistence.etcd.tls.client-cert-file=DIR/crt | persistence.etcd.tls.client-key-file: is missing
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.tls.server-name=x | persistence.etcd.tls.ca-cert-file: is missing: persistence.etcd.tls.server-name is set
          persistence.type=etcd persistence.etcd.endpoints=https://a:1 persistence.etcd.tls.ca-cert-file=DIR/junk | persistence.etcd.tls.ca-cert-file = DIR/junk (flag --set): holds no certificate that can be read.
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.leader-lease-ttl=10500ms | persistence.etcd.leader-lease-ttl = 10500ms (flag --set): must be a whole number of seconds: etcd cuts the rest off. Round it, for example to 11s.
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.request-timeout=4s persistence.etcd.leader-lease-ttl=7s | persistence.etcd.request-timeout = 4s (flag --set): must be at most half of persistence.etcd.leader-lease-ttl (7s)
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.leader-lease-ttl=4s | persistence.etcd.request-timeout = 5s (default): must be at most half of persistence.etcd.leader-lease-ttl (4s)
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.leader-lease-ttl=60s persistence.etcd.request-timeout=5001ms | persistence.etcd.request-timeout = 5001ms (flag --set): must be at most half of the 10s that executors wait for an answer: two writes of the state have to fit, the one under way and their own. Lower it to 5s or less.
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.retry-max-delay=11s | persistence.etcd.retry-max-delay = 11s (flag --set): and persistence.etcd.request-timeout (5s) must be at most 15s together
          persistence.type=etcd persistence.etcd.endpoints=http://a:1 persistence.etcd.retry-max-delay=50ms | persistence.etcd.retry-min-delay = 100ms (default): must not be above persistence.etcd.retry-max-delay (50ms).
          """)
    @Tag("R20")
    @Tag("R24")
    @Tag("R25")
    @Tag("R26")
    @Tag("R29")
    @Tag("R41")
    @Tag("R70")
    @Tag("R169")
    @Tag("R171")
    @Tag("R173")
    @Tag("R174")
    @Tag("R175")
    @Tag("R178")
    void aRuleBetweenKeysNamesBoth(String settings, String expected) {
        TestInputs inputs = TestInputs.in(directory);
        if (!settings.contains("persistence.type=")) {
            inputs.flag("persistence.type", "memory");
        }
        if (settings.contains("=etcd") && !settings.contains("advertised")) {
            inputs.flag("grpc.advertised-host", "10.0.0.7");
        }
        for (String setting : settings.replace("DIR", directory.toString()).split(" ", -1)) {
            if (setting.endsWith("=")) {
                continue; // left out on purpose
            }
            inputs.flag(setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        List<String> faults = inputs.faults();
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().contains(expected.replace("DIR", directory.toString())), faults::toString);
    }

    @Test
    void settingsOfAStoreThatIsNotChosenDoNotStartTheDefaultOne() {
        assertEquals(
                List.of(
                        "persistence.type = sqlite (default): is not set, but persistence.etcd.endpoints is: the state would not go there."
                                + " Set persistence.type to etcd, or remove persistence.etcd.endpoints."),
                TestInputs.in(directory)
                        .flag("persistence.etcd.endpoints", "http://a:1")
                        .faults());
    }

    @Test
    void aWrongValueOfAStoreThatIsNotInUseIsStillReported() {
        List<String> faults = TestInputs.in(directory)
                .flag("persistence.type", "memory")
                .flag("persistence.etcd.request-timeout", "x")
                .faults();
        assertTrue(faults.getFirst().startsWith("persistence.etcd.request-timeout = x"), faults::toString);
    }

    @Test
    void aFlagMayChooseAnotherStoreThanTheFile() throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .yaml("persistence:\n  type: etcd\n  etcd:\n    endpoints: http://a:1\n")
                .flag("persistence.type", "memory")
                .config();
        assertEquals(new PersistenceConfig.Memory("/shardwright/"), config.persistence());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
          'demo'                         | namespaces[0] = demo (flag --set): must be name:fixed:shard-count or name:ephemeral.
          'demo:fixed:1:2'               | namespaces[0] = demo:fixed:1:2 (flag --set): must be name:fixed:shard-count or name:ephemeral.
          'Demo:fixed:1'                 | namespaces[0].name = Demo (flag --set): must be 1 to 63 characters of a-z
          '-a:fixed:1'                   | namespaces[0].name = -a (flag --set): must be 1 to 63 characters
          'demo:odd:1'                   | namespaces[0].kind = odd (flag --set): must be one of fixed, ephemeral.
          'demo:fixed:0'                 | namespaces[0].shard-count = 0 (flag --set): must be a whole number from 1 to 1048576.
          'demo:fixed:1048577'           | namespaces[0].shard-count = 1048577 (flag --set): must be a whole number
          'a:fixed:1,a:fixed:1'          | namespaces[1].name = a (flag --set): stands a second time in the list.
          'a:ephemeral:5'                | namespaces[0].shard-count = 5 (flag --set): does not belong to an ephemeral namespace
          '[{name: a, kind: fixed, shard-cout: 1}]' | namespaces[0].shard-cout (flag --set): is not a known key of a namespace. Did you mean shard-count?
          '[{kind: fixed}]'              | namespaces[0].name (flag --set): is missing
          '[{name: a}]'                  | namespaces[0].kind (flag --set): is missing: it must be one of fixed, ephemeral.
          '[{name: a, kind: fixed, lease: 1ms}]' | namespaces[0].lease = 1ms (flag --set): must be a duration from 1s to 1h
          '[{name: a, kind: fixed, balancer: best}]' | namespaces[0].balancer = best (flag --set): must be one of naive.
          '[{name: a, kind: [fixed]}]'   | namespaces[0].kind = ["fixed"] (flag --set): must be one of fixed, ephemeral.
          '[[a]]'                        | namespaces[0] = ["a"] (flag --set): must be name:fixed:shard-count or name:ephemeral.
          '{name: a}'                    | namespaces = {name: a} (flag --set): must be a list of namespaces
          '[{name: a'                    | is not valid JSON at character
          """)
    void aFaultInANamespaceNamesItsPlaceInTheList(String text, String expected) {
        List<String> faults = TestInputs.in(directory).flag("namespaces", text).faults();
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().contains(expected), faults::toString);
    }
}
