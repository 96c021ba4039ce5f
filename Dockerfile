# Galley as a container: built from the sources, run without them, by a user who may write to /data and /tmp alone.

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/admin/package.json packages/admin/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/create-galley/package.json packages/create-galley/package.json
COPY packages/server/package.json packages/server/package.json
COPY packages/wire/package.json packages/wire/package.json
COPY bench/package.json bench/package.json
# The admin panel is built with the rest, once the sources are there.
RUN npm pkg delete scripts.prepare && npm ci
COPY tsconfig.json tsdown.config.ts ./
COPY packages packages
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/admin/package.json packages/admin/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/create-galley/package.json packages/create-galley/package.json
COPY packages/server/package.json packages/server/package.json
COPY packages/wire/package.json packages/wire/package.json
COPY bench/package.json bench/package.json
# Whether a package lies in the second folder is npm's choice.
RUN npm ci --omit=dev --workspace packages/server --ignore-scripts && mkdir -p packages/server/node_modules

FROM node:24-slim
COPY --from=dependencies /src/node_modules /app/node_modules
COPY --from=dependencies /src/packages/server/node_modules /app/packages/server/node_modules
COPY --from=build /src/packages/server/package.json /app/packages/server/package.json
COPY --from=build /src/packages/server/bin /app/packages/server/bin
COPY --from=build /src/packages/server/demo /app/packages/server/demo
COPY --from=build /src/packages/server/dist /app/packages/server/dist
COPY --from=build /src/packages/server/panel /app/packages/server/panel
RUN ln -s /app/packages/server/bin/galley.js /usr/local/bin/galley && install -d -o 1000 -g 1000 -m 700 /data
ENV NODE_ENV=production
ENV GALLEY_HOST=0.0.0.0
# From here, the default database, ./data/galley.db, is in the volume. Naming it in a variable would forbid GALLEY_DATABASE_URL_FILE.
WORKDIR /
VOLUME ["/data"]
EXPOSE 3000
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.GALLEY_PORT ?? 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that SIGTERM reaches it and it drains.
ENTRYPOINT ["node", "/app/packages/server/bin/galley.js"]
CMD ["serve"]
