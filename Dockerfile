# One image for amd64 and arm64. A release names the base by its digest: NODE_IMAGE=node:26-slim@sha256:…
ARG NODE_IMAGE=node:26-slim

# Production packages for the target platform.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
# Variants that nothing loads take 65 MB: engines for other machines, and larger data of languages.
RUN cd node_modules \
  && find tesseract.js-core -name 'tesseract-core*' ! -name 'tesseract-core-simd-lstm.js' ! -name 'tesseract-core-simd-lstm.wasm' -delete \
  && rm -rf @tesseract.js-data/*/4.0.0 \
  && find eld/src/ngrams -type f ! -name extrasmall.js -delete

# Builds the dashboard and the reader with development packages, and the server as plain JavaScript. Runs on the build machine's own platform, because the
# result is the same for every platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY scripts scripts
COPY src src
COPY web web
COPY clients/typescript/src/live clients/typescript/src/live
# The dashboard's client is generated from the description of the API.
COPY docs/api docs/api
RUN node scripts/build-web.ts && node scripts/build-server.ts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    ADMIN_COMMAND="docker exec <container> node dist/server/admin.js"
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=packages /app/node_modules node_modules
COPY --from=web /app/dist dist
COPY package.json LICENSE ./
# The guides that the server shows below /docs, and the clients that they lead to.
COPY docs/*.md docs/
COPY docs/fr docs/fr
COPY clients clients
RUN install -d -o node -g node node_modules/.cache/compiled
# By its number, so that Kubernetes can tell that it is not root.
USER 1000:1000
# Starts once, so that the image has the cache of compiled code: a container cannot write it, because all but /data is read-only.
RUN export DATA_DIR=/tmp/first PORT=0; \
    node dist/server/main.js > /tmp/first.log & \
    until grep -q 'running at' /tmp/first.log; do kill -0 "$!" || exit 1; sleep 1; done; \
    kill -TERM "$!" && wait "$!" && rm -rf /tmp/first /tmp/first.log && chmod -R a-w node_modules/.cache/compiled
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Started without npm, which would not pass signals on to Node.js.
CMD ["node", "dist/server/main.js"]
