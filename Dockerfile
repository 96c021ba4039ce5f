# Galley as a container. The build needs the sources; the image has only the built program. It runs as a user who may
# write to /data and /tmp and nowhere else.

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/admin/package.json packages/admin/package.json
COPY packages/client/package.json packages/client/package.json
COPY packages/create-galley/package.json packages/create-galley/package.json
COPY packages/server/package.json packages/server/package.json
COPY packages/wire/package.json packages/wire/package.json
COPY bench/package.json bench/package.json
# `npm run build` below builds the admin panel too; its sources are not here yet.
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
# npm may put packages into packages/server/node_modules, or not; the COPY below needs the folder in either case.
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
# A load balancer notices within 5 seconds that the service stops.
ENV GALLEY_DRAIN_MS=5000
# The default database, ./data/galley.db, is then in the volume. If a variable named it here, nobody could set
# GALLEY_DATABASE_URL_FILE, since only one of the two may be set.
WORKDIR /
VOLUME ["/data"]
EXPOSE 3000
USER 1000:1000
# Reads the same settings as the service, so it finds the port whichever way it is set.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "/app/packages/server/bin/galley.js", "health"]
# No shell in between: SIGTERM reaches Node.js, and the service finishes its requests before it stops.
ENTRYPOINT ["node", "/app/packages/server/bin/galley.js"]
CMD ["serve"]
