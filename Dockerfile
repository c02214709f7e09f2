# The server with what it hands to browsers; its database is a Postgres elsewhere (compose.yaml has both).

FROM node:24-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY patches patches
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 NOTIF_DATA_DIR=/data
# Without .npmrc, which brings the tools of a checkout.
COPY package.json package-lock.json ./
COPY patches patches
# Without the embedded Postgres: optional packages are nothing else here.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force && install -d -o node -g node /data
COPY components/protocol components/protocol
COPY demo/people.ts demo/
COPY server server
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# What a request leaves behind is collected while it is young, and a quiet hour costs no compiled code (docs/operator.md).
CMD ["node", "--min-semi-space-size=16", "server/main.ts"]
