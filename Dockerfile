# An image that holds only the program, for one directory that is mounted read-only:
#
#   docker build -t gander .
#   docker run -i --rm --network=none --read-only --cap-drop=ALL \
#     --mount type=bind,src="$PWD",dst=/workspace,readonly gander
#
# The base is not pinned by digest: a rebuild should get the fixes of Go's patch releases, and nothing of the base but what the
# compiler makes of it comes into the image.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The builder sets these to the platform of the image. A default would hide its values.
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=devel
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
    -ldflags "-s -w -buildid= -X gander/internal/cli.release=$VERSION" -o /gander ./cmd/gander && \
    mkdir /files && go run ./release -licenses /files/THIRD_PARTY_LICENSES

FROM scratch
LABEL io.modelcontextprotocol.server.name="com.example/gander"
COPY --from=build /gander /gander
COPY --from=build /files/THIRD_PARTY_LICENSES /src/LICENSE /
# A user without a name, a home directory and rights beyond those of others.
USER 65532:65532
WORKDIR /workspace
ENTRYPOINT ["/gander"]
CMD ["mcp", "--root", "/workspace"]
