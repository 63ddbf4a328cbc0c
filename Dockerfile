# Production packages for the target platform.
FROM node:26-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

# Builds the dashboard and the reader with development packages, and the server as plain JavaScript. Runs on the build machine's own platform, because the
# result is the same for every platform.
FROM --platform=$BUILDPLATFORM node:26-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY scripts scripts
COPY src src
COPY web web
RUN node scripts/build-web.ts && node scripts/build-server.ts

FROM node:26-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=packages /app/node_modules node_modules
COPY --from=web /app/dist dist
COPY package.json LICENSE ./
# The guides that the server shows below /docs.
COPY docs/*.md docs/
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Started without npm, which would not pass signals on to Node.js.
CMD ["node", "dist/server/main.js"]
