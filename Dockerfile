# Debian, not Alpine: uWebSockets.js carries binaries for glibc only, those for Node 26 from 2.38 on (Debian 13).
FROM node:26-trixie-slim AS packages
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci --omit=dev --ignore-scripts

FROM node:26-trixie-slim
WORKDIR /service
COPY --from=packages /service/node_modules ./node_modules
COPY package.json ./
COPY config ./config
COPY workers ./workers
COPY packages ./packages
COPY src ./src
COPY scripts/stripped ./scripts/stripped
# A start would otherwise strip the types of every source.
RUN node --disable-warning=ExperimentalWarning scripts/stripped/fill.mjs

# The process writes nothing but what it keeps under DATA_DIR (a generated secret, baskets kept for repair).
RUN mkdir /data && chown 1000:1000 /data
ENV NODE_ENV=production HOST=0.0.0.0 OPS_HOST=0.0.0.0 DATA_DIR=/data
# The image holds no Redis server: REDIS_URL is required, and compose.yaml sets it.
VOLUME /data
# docker build --build-arg COMMIT=$(git rev-parse HEAD): an image has no clone to read it from.
ARG COMMIT=
ENV LOYALTY_COMMIT=$COMMIT
EXPOSE 8080 9090

# The user `node` of the base image, by number, so that a cluster can see that it is not root.
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9090) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that SIGTERM reaches the service and it drains.
CMD ["node", "--disable-sigusr1", "--import=./scripts/stripped/load.mjs", "src/main.ts"]
