import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ProxyOptions, type UserConfig } from 'vite'
import { contentSecurityPolicy, mapOriginsOf } from '../src/operator/dashboard/content-security-policy.ts'
import { fillPage } from '../src/operator/dashboard/fill-page.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The address that the server delivers the dashboard under. */
const BASE = '/dashboard/'
/** The development server's own port. */
const DEV_PORT = 5173

const shared = { envDir: false, logLevel: 'warn', target: 'es2022' } as const
const forProduction = { 'process.env.NODE_ENV': JSON.stringify('production') }

/** The dashboard: `vite build` bundles it, `vite` serves its sources with hot reload in front of a running server. */
export const dashboardConfig = defineConfig(({ command }) => ({
  root: `${ROOT}web/dashboard`,
  base: BASE,
  envDir: shared.envDir,
  logLevel: shared.logLevel,
  define: command === 'build' ? forProduction : undefined,
  plugins: [react(), devPage(process.env.MAP_STYLE_URL ?? '', process.env.MAP_ORIGINS ?? '')],
  build: {
    emptyOutDir: true,
    target: shared.target,
    // The content security policy allows no data: scripts or styles, and a small file costs little over HTTP.
    assetsInlineLimit: 0,
    // The map's library alone is 1.1 MB; it is loaded by the pages that have a map.
    chunkSizeWarningLimit: 1500,
  },
  server: {
    port: DEV_PORT,
    strictPort: true,
    fs: { allow: ['web', 'src', 'node_modules'].map((folder) => ROOT + folder) },
    proxy: { [`^/(?!${BASE.slice(1)})`]: toServer(process.env.PORT ?? '8080') },
  },
}))

/** The script of the public reader. */
export const readerConfig: UserConfig = {
  root: `${ROOT}web/reader`,
  envDir: shared.envDir,
  logLevel: shared.logLevel,
  define: forProduction,
  build: {
    emptyOutDir: true,
    target: shared.target,
    lib: { entry: 'reader.ts', formats: ['es'], fileName: () => 'reader.js', cssFileName: 'reader' },
  },
}

export default dashboardConfig

/**
 * Gives the page of the development server what the real server gives it: the values in its head and the content
 * security policy. The policy also allows the inline script of React's hot reload, by the nonce of this start.
 */
function devPage(mapStyleUrl: string, mapOrigins: string): Plugin {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, mapOriginsOf(mapStyleUrl, mapOrigins.split(',').filter(Boolean)))
  const headers = {
    'content-security-policy': policy.replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`),
  }
  return {
    name: 'dev-page',
    apply: 'serve',
    config: () => ({ html: { cspNonce: nonce }, server: { headers } }),
    transformIndexHtml: (html) => fillPage(html, { nonce, mapStyleUrl }),
  }
}

/** Sends requests on to the server, with the host name that the browser asked for: its cookies and checks depend on it. */
function toServer(port: string): ProxyOptions {
  return {
    target: `http://127.0.0.1:${port}`,
    changeOrigin: false,
    configure(proxy) {
      // The dashboard takes 502 for a server that is restarting, and tries again.
      proxy.on('error', (_error, _request, response) => {
        if ('writeHead' in response && !response.headersSent) (response as ServerResponse).writeHead(502).end()
      })
    },
  }
}
