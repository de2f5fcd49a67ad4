package io.shardwright.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each refusal with its message: key, value, rule, remedy. */
final class ConfigRefusalsTest {
    @TempDir
    Path directory;

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource(delimiter = '|', textBlock = """
          grpc.transport              | tomcat      | one of netty, helidon
          grpc.transport              | NETTY       | one of netty, helidon
          grpc.bind-address           | a b         | a host name or an IP address
          grpc.bind-address           | host:90     | a host name or an IP address
          grpc.bind-address           | fe80::1%e0  | a host name or an IP address
          grpc.advertised-host        | a b         | a host name or an IP address
          grpc.advertised-host        | a#b         | a host name or an IP address
          grpc.advertised-host        | fe80::1%eth0 | a host name or an IP address
          grpc.advertised-host        | host:90     | a host name or an IP address
          grpc.port                   | 65536       | a port from 0 to 65535
          grpc.port                   | -1          | a port from 0 to 65535
          grpc.port                   | 9e3         | a port from 0 to 65535
          grpc.port                   | ''          | a port from 0 to 65535
          grpc.port                   | 99999999999999999999 | a port from 0 to 65535
          grpc.max-message-bytes      | 1           | a size from 64KiB to 256MiB
          grpc.max-message-bytes      | 1GB         | a size from 64KiB to 256MiB
          grpc.max-message-bytes      | 999999999999GiB | a size from 64KiB to 256MiB
          grpc.grace                  | 10          | a duration from 0s to 1h
          grpc.grace                  | 2h          | a duration from 0s to 1h
          grpc.grace                  | -1s         | a duration from 0s to 1h
          grpc.grace                  | PT-1S       | a duration from 0s to 1h
          grpc.grace                  | Pfoo        | a duration from 0s to 1h
          grpc.tls.require-client-cert| yes         | true or false
          http.enabled                | 1           | true or false
          http.port                   | eighty      | a port from 0 to 65535
          persistence.type            | mysql       | one of memory, sqlite, postgres, etcd
          persistence.key-prefix      | shardwright | each followed by '/'
          persistence.key-prefix      | /           | each followed by '/'
          persistence.limits.max-txn-operations | 7 | a whole number from 8 to 100000
          persistence.limits.max-request-bytes  | 1 | a size from 64KiB to 64MiB
          persistence.postgres.url    | postgres://x/y | jdbc:postgresql://host[:port]/database
          persistence.etcd.endpoints  | localhost:2379 | http:// or https:// addresses
          persistence.etcd.endpoints  | http://a    | http:// or https:// addresses
          persistence.etcd.endpoints  | http://a:1/x | http:// or https:// addresses
          persistence.etcd.endpoints  | 'http://a:1,' | http:// or https:// addresses
          persistence.etcd.endpoints  | '[]'        | http:// or https:// addresses
          persistence.etcd.endpoints  | '[http://a:1' | http:// or https:// addresses
          persistence.etcd.leader-lease-ttl | 1s    | a duration from 2s to 1h
          persistence.etcd.connect-timeout  | 0s    | a duration from 1ms to 1h
          persistence.etcd.retry-min-delay  | 0s    | a duration from 1ms to 1h
          leases.default-duration     | 999ms       | a duration from 1s to 1h
          leases.default-duration     | 61m         | a duration from 1s to 1h
          leases.clock-drift          | 0.21        | a number from 0 to 0.2
          leases.clock-drift          | NaN         | a number from 0 to 0.2
          leases.clock-drift          | -0.1        | a number from 0 to 0.2
          """)
    @Tag("R28")
    @Tag("R170")
    @Tag("R172")
    void aValueThatBreaksItsRuleIsNamedWithValueRuleAndRemedy(String key, String value, String rule) {
        TestInputs inputs = TestInputs.in(directory).flag(key, value);
        if (!key.equals("persistence.type")) {
            inputs.flag("persistence.type", "memory");
        }
        List<String> faults = inputs.faults();
        assertEquals(1, faults.size(), faults::toString);
        assertTrue(faults.getFirst().startsWith(key + " = " + value + " (flag --set): must be "), faults::toString);
        assertTrue(faults.getFirst().contains(rule), faults::toString);
        assertTrue(faults.getFirst().contains(" For example: "), faults::toString);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
          grpc.prot                     | grpc.port
          grpc.bindAddress              | grpc.bind-address
          grpc.bind_address             | grpc.bind-address
          GRPC.PORT                     | grpc.port
          port                          | grpc.port or http.port
          tls.cert-file                 | grpc.tls.cert-file
          persistence.etcd.endpoint     | persistence.etcd.endpoints
          persistence.config.endpoints  | persistence.etcd.endpoints
          namespace                     | namespaces
          lease.default-duration        | leases.default-duration
          """)
    void anUnknownKeyIsRefusedWithTheNearestKnownOne(String unknown, String nearest) {
        String remedy = "Did you mean " + nearest + "?";
        assertEquals(
                List.of("--set " + unknown + ": is not a known key. " + remedy),
                TestInputs.in(directory).flag(unknown, "1").faults());
        assertEquals(
                List.of(unknown + " (" + directory.resolve("shardwright.yaml") + ":1): is not a known key. " + remedy),
                TestInputs.in(directory).yaml(unknown + ": 1\n").faults());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
          SHARDWRIGHT__GRPC__PROT         | Did you mean SHARDWRIGHT__GRPC__PORT?
          SHARDWRIGHT__GRPC_PORT          | Did you mean SHARDWRIGHT__GRPC__PORT?
          SHARDWRIGHT__grpc__port         | Did you mean SHARDWRIGHT__GRPC__PORT?
          SHARDWRIGHT__HTTP__BIND-ADDRESS | Did you mean SHARDWRIGHT__HTTP__BIND_ADDRESS?
          SHARDWRIGHT__QUITE__ELSEWHERE   | Remove it;
          SHARDWRIGHT__NAMESPACES__0__NAME | Give the whole list in SHARDWRIGHT__NAMESPACES
          """)
    void anUnknownVariableIsRefusedWithTheNearestKnownOne(String unknown, String remedy) {
        String fault = TestInputs.in(directory).env(unknown, "1").faults().getFirst();
        assertTrue(fault.startsWith(unknown + ": is not a known variable. " + remedy), fault);
    }

    @Test
    void aVariableWithSingleUnderscoresIsRefusedWithTheNameThatIsRead() {
        assertEquals(
                List.of("SHARDWRIGHT_HTTP_BIND_ADDRESS: is not read: two underscores stand between the levels of a key."
                        + " Did you mean SHARDWRIGHT__HTTP__BIND_ADDRESS?"),
                TestInputs.in(directory)
                        .env("SHARDWRIGHT_HTTP_BIND_ADDRESS", "::1")
                        .faults());
    }

    @Test
    void whatKubernetesSetsForAServiceIsNotTakenForAVariableOfOurs() throws Exception {
        ServerConfig config = TestInputs.in(directory)
                .env("SHARDWRIGHT_GRPC_PORT", "tcp://10.96.0.7:9002")
                .env("SHARDWRIGHT_GRPC_SERVICE_HOST", "10.96.0.7")
                .env("SHARDWRIGHT_JAVA_OPTS", "-Xmx1g")
                .config();
        assertEquals(9002, config.grpc().listen().port());
    }

    @Test
    void theValueOfAMistypedSecretIsNotShown() {
        String faults = TestInputs.in(directory)
                .env("SHARDWRIGHT__PERSISTENCE__ETCD__PASWORD", "hunter2")
                .flag("persistence.etcd.passwd", "hunter2")
                .yaml("persistence:\n  etcd:\n    pasword: hunter2\n")
                .faults()
                .toString();
        assertFalse(faults.contains("hunter2"), faults);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://u:hunter2@db/x",
                "jdbc:postgresql://db/x?user=u&password=hunter2",
                "jdbc:postgresql://db/x?PASSWORD=hunter2"
            })
    void aPasswordInsideTheAddressIsRefusedWithoutShowingIt(String url) {
        String faults = TestInputs.in(directory)
                .flag("persistence.type", "postgres")
                .flag("persistence.postgres.url", url)
                .faults()
                .toString();
        assertTrue(faults.contains("without user and password"), faults);
        assertFalse(faults.contains("hunter2"), faults);
    }

    @Test
    @Tag("R68")
    void anUnusablePasswordIsRefusedWithoutShowingIt() {
        String faults = TestInputs.in(directory)
                .yaml(
                        "persistence:\n  type: etcd\n  etcd:\n    endpoints: http://a:1\n    username: u\n    password: \"hun\\tter2\"\n")
                .faults()
                .toString();
        assertTrue(faults.contains("persistence.etcd.password = (hidden)"), faults);
        assertFalse(faults.contains("ter2"), faults);
    }

    @Test
    @Tag("B4")
    void allFaultsOfAllSourcesAreReportedAtOnce() {
        List<String> faults = TestInputs.in(directory)
                .flag("grpc.port", "x")
                .flag("nonsense.key", "1")
                .env("SHARDWRIGHT__HTTP__PORT", "y")
                .yaml("leases:\n  clock-drift: 7\n  other: 1\nnamespaces: [a, b:fixed:0, b:odd]\n")
                .faults();
        assertEquals(8, faults.size(), faults::toString);
    }

    @Test
    void aKeyGivenByTwoFlagsIsRefused() {
        assertEquals(
                List.of("grpc.port: is given by more than one flag. Give it once."),
                TestInputs.in(directory)
                        .flag("grpc.port", "1")
                        .flag("grpc.port", "2")
                        .faults());
    }

    @Test
    void controlCharactersAndLongValuesDoNotReachTheTerminal() {
        String fault = TestInputs.in(directory)
                .flag("grpc.port", "\u001b[31m" + "x".repeat(5000))
                .faults()
                .getFirst();
        assertTrue(fault.startsWith("grpc.port = \\u001b[31mxxx"), fault);
        assertTrue(fault.length() < 400, fault);
    }
}
