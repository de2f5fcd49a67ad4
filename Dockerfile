# The server and shardctl, with a Java runtime of their own and a cache that makes starts faster.
#   docker build -t shardwright .
#   docker run --rm -p 9002:9002 -p 8081:8081 shardwright server --store memory --namespace orders:fixed:64

FROM eclipse-temurin:25-jdk AS build
WORKDIR /src
COPY . .
# The cache keeps Maven's downloads between builds; without BuildKit they are simply fetched again.
RUN --mount=type=cache,target=/root/.m2 ./mvnw -B -ntp -Dmaven.test.skip=true -pl modules/server,cli -am package
# At the path that it has in the image: the cache of loaded classes is good only there.
RUN JAVA_HOME=/opt/java/openjdk deploy/image/assemble.sh /opt/shardwright

FROM debian:13-slim
RUN groupadd --gid 10001 shardwright \
 && useradd --uid 10001 --gid 10001 --home-dir /var/lib/shardwright --create-home --shell /usr/sbin/nologin shardwright
COPY --from=build /opt/shardwright /opt/shardwright
ENV PATH=/opt/shardwright/bin:$PATH
# Where SQLite keeps the state unless another store is chosen.
WORKDIR /var/lib/shardwright
USER 10001:10001
EXPOSE 9002 8081
ENTRYPOINT ["shardwright"]
CMD ["server"]
