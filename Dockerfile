# One file, three images: `docker build --target router|console|simulation .`
FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /evenkeel
ENV NODE_ENV=production DO_NOT_TRACK=1 NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
COPY apps/router/package.json apps/router/
COPY apps/console/package.json apps/console/
COPY packages/protocol/package.json packages/protocol/
COPY packages/scheduler/package.json packages/scheduler/
COPY packages/sim/package.json packages/sim/
COPY packages/stack/package.json packages/stack/
COPY db/package.json db/
COPY e2e/package.json e2e/
COPY bench/package.json bench/

FROM manifests AS router
RUN npm ci --omit=dev --omit=optional -w @evenkeel/router
COPY packages/protocol packages/protocol
COPY packages/scheduler packages/scheduler
COPY db db
COPY apps/router apps/router
RUN install -d -o node /data
USER node
ENV ROUTER_HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8081/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/router/src/main.ts"]

FROM manifests AS console-build
RUN npm ci --include=dev
COPY . .
RUN npm run build -w @evenkeel/console

FROM node:24.21.0-bookworm-slim AS console
WORKDIR /evenkeel
COPY --from=console-build /evenkeel/apps/console/.next/standalone ./
COPY --from=console-build /evenkeel/apps/console/.next/static apps/console/.next/static
RUN install -d -o node /data
USER node
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOSTNAME=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/console/server.js"]

FROM manifests AS simulation
RUN npm ci --omit=dev --omit=optional -w @evenkeel/sim
COPY packages/protocol packages/protocol
COPY packages/scheduler packages/scheduler
COPY packages/sim packages/sim
USER node
CMD ["node", "packages/sim/src/cli.ts", "serve", "--host", "0.0.0.0", "--port", "9001", "--replicas", "4"]
