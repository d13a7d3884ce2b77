# docker build --build-arg REVISION=$(git rev-parse HEAD) -t cairn .
# docker run -p 8080:8080 -v cairn-data:/data cairn

FROM node:20-slim AS build
ARG REVISION=unknown
WORKDIR /build
COPY . .
RUN npx -y pnpm@12.21.0 install --frozen-lockfile
RUN node scripts/build.mjs --no-types
# There is no repository here that could tell the revision, so it is handed in.
RUN node -e "const f = 'packages/server/dist/build-info.json'; const fs = require('node:fs'); \
    fs.writeFileSync(f, JSON.stringify({...JSON.parse(fs.readFileSync(f, 'utf8')), revision: process.argv[1]}))" "$REVISION"
# The server with what it needs at run time, and nothing of the workspace.
RUN npx -y pnpm@12.21.0 --filter @cairn/server --prod deploy --legacy /app \
    && mkdir /app/test-fixtures && cp -r test-fixtures/apollo /app/test-fixtures/

FROM node:20-slim
ENV NODE_ENV=production CAIRN_DATA_DIR=/data PORT=8080
COPY --from=build /app /app
RUN ln -s /app/dist/cli.js /usr/local/bin/cairn && chmod +x /app/dist/cli.js && mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["cairn"]
CMD ["serve", "--host", "0.0.0.0"]
