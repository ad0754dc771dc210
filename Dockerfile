# Builds Berth and runs it as an unprivileged user.
FROM node:24-bookworm-slim AS build
WORKDIR /berth
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY console/package.json ./console/
COPY tools/package.json ./tools/
RUN npm ci --ignore-scripts --include=dev --workspace=console --include-workspace-root
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY migrations ./migrations
COPY src ./src
COPY client ./client
COPY console ./console
# OpenTelemetry is optional: the image has it, in the versions of package.json.
RUN npm run build && npm prune --omit=dev && \
    npm install --ignore-scripts --no-save --save-prod --omit=dev $(node -p "require('./dist/src/platform/version.js').OPTIONAL_PACKAGES.join(' ')") && \
    rm -rf node_modules/@berth

FROM node:24-bookworm-slim
ENV NODE_ENV=production BERTH_HOST=0.0.0.0 PORT=8778
WORKDIR /berth
COPY --from=build /berth/package.json ./
COPY --from=build /berth/node_modules ./node_modules
COPY --from=build /berth/dist ./dist
USER node
EXPOSE 8778
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=6", "--no-memory-reducer", "dist/main.js"]
