# Galley as a container. The image contains only the built program, not the sources. It runs as a user who can write only
# to /data and /tmp.

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/admin/package.json packages/admin/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/create-galley/package.json packages/create-galley/package.json
COPY packages/preview/package.json packages/preview/package.json
COPY packages/server/package.json packages/server/package.json
COPY packages/wire/package.json packages/wire/package.json
COPY bench/package.json bench/package.json
# The prepare script builds the admin panel, but its sources are not copied yet. `npm run build` below builds the panel.
RUN npm pkg delete scripts.prepare && npm ci
COPY tsconfig.json tsdown.config.ts ./
COPY packages packages
COPY examples examples
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/admin/package.json packages/admin/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/create-galley/package.json packages/create-galley/package.json
COPY packages/preview/package.json packages/preview/package.json
COPY packages/server/package.json packages/server/package.json
COPY packages/wire/package.json packages/wire/package.json
COPY bench/package.json bench/package.json
# npm does not always create packages/server/node_modules, but the COPY below requires it.
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
# Gives a load balancer 5 seconds to notice that the service is stopping.
ENV GALLEY_DRAIN_MS=5000
# From /, the default database ./data/galley.db is in the volume, and so are the uploaded files and the transformed images
# (./data/assets and ./data/images). GALLEY_DATABASE_URL is not set here, because then nobody
# could use GALLEY_DATABASE_URL_FILE: only one of the two may be set.
WORKDIR /
VOLUME ["/data"]
EXPOSE 3000
USER 1000:1000
# Reads the same settings as the service, so it always uses the right port.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "/app/packages/server/bin/galley.js", "health"]
# Without a shell, SIGTERM reaches Node.js directly, and the service can finish its requests before it stops.
ENTRYPOINT ["node", "/app/packages/server/bin/galley.js"]
CMD ["serve"]
