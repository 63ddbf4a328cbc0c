// npm run build : builds the pages, the server and the client for apps into dist, whether or not their sources changed.
await import('./build-web.ts')
await import('./build-server.ts')
await import('./build-client.ts')
