import { randomBytes } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ProxyOptions, type UserConfig } from 'vite'
import { fillPage } from '../src/operator/dashboard/fill-page.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The address that the server delivers the dashboard under. */
const BASE = '/dashboard/'
/** The name by which texts of a language are imported, in one file. */
const TRANSLATIONS = 'virtual:translations'
/** The end of the name of those that a live map does without. */
const FURTHER = '/further'
/** Areas of texts that single pages import themselves. */
const AREAS_OF_PAGES = ['administration', 'reader']
/** Areas of texts that the spectators' pages need: others would delay them on a slow line. */
const AREAS_OF_SPECTATORS = ['events', 'live', 'race', 'shell', 'tracks']
/** Those that the live map of operators needs, with the frame around it. */
const AREAS_OF_OPERATORS = [...AREAS_OF_SPECTATORS, 'account', 'map']
/** The script of the dashboard that asks for what the page needs next, while the libraries are on the way. */
const EARLY = `${ROOT}web/dashboard/app/early.ts`
/** The development server's own port. */
const DEV_PORT = 5173

const shared = { envDir: false, logLevel: 'warn', target: 'es2022' } as const
/**
 * Libraries of every tab in one file, those of maps in another, and our own code of several tabs in a third; left
 * alone, the bundler makes dozens of small ones.
 */
const SPECTATOR_CHUNKS = [
  {
    name: 'app',
    test: /node_modules.(@mantine|@tanstack|@floating-ui|lucide-react|i18next|react|scheduler|clsx)/,
    priority: 2,
  },
  // Code that runs before the libraries are there.
  {
    name: 'early',
    test: /web.spectator.(keep-page|share)\.ts|api.early-answers\.ts|vite.preload-helper/,
    priority: 3,
  },
  { name: 'map', test: /node_modules.(maplibre-gl|topojson-client|world-atlas)/, priority: 1 },
  { name: 'base', test: /web.(dashboard|ui|spectator|locales).|src.(tracks|platform)./, minShareCount: 2 },
]

/** Code that every page of the dashboard loads: libraries, which change rarely, in one file, and our own in another. */
const FIRST_LOAD_CHUNKS = [
  // Code that runs before the libraries are there.
  {
    name: 'early',
    test: /(api.early-answers|app.early|i18n.language|ui.stored-text)\.ts|translations$|vite.preload-helper/,
    priority: 2,
  },
  { name: 'libraries', test: /node_modules/, tags: ['$initial' as const], priority: 1 },
  { name: 'first', test: /web.(dashboard|ui|locales).|src./, tags: ['$initial' as const] },
]

const forProduction = { 'process.env.NODE_ENV': JSON.stringify('production') }

/** The dashboard: `vite build` bundles it, `vite` serves its sources with hot reload in front of a running server. */
export const dashboardConfig = defineConfig(({ command }) => ({
  root: `${ROOT}web/dashboard`,
  base: BASE,
  envDir: shared.envDir,
  logLevel: shared.logLevel,
  define: command === 'build' ? forProduction : undefined,
  plugins: [
    react(),
    translations(AREAS_OF_OPERATORS, true),
    earlyScript(),
    devPage(`http://127.0.0.1:${process.env.PORT ?? '8080'}`),
  ],
  build: {
    emptyOutDir: true,
    target: shared.target,
    // The content security policy allows no data: scripts or styles, and a small file costs little over HTTP.
    assetsInlineLimit: 0,
    // The map's library alone is 1.1 MB; it is loaded by the pages that have a map.
    chunkSizeWarningLimit: 1500,
    rolldownOptions: { output: { codeSplitting: { groups: FIRST_LOAD_CHUNKS } } },
  },
  server: {
    port: DEV_PORT,
    strictPort: true,
    fs: { allow: ['web', 'src', 'node_modules'].map((folder) => ROOT + folder) },
    proxy: { [`^/(?!${BASE.slice(1)})`]: toServer(process.env.PORT ?? '8080') },
  },
}))

/**
 * The script of the spectators' pages, which the server renders. Few files, because each costs a round trip on a slow
 * line.
 */
export const spectatorConfig: UserConfig = {
  root: `${ROOT}web/spectator`,
  base: '/s/_/',
  envDir: shared.envDir,
  logLevel: shared.logLevel,
  define: forProduction,
  plugins: [react(), translations(AREAS_OF_SPECTATORS, false)],
  build: {
    emptyOutDir: true,
    target: shared.target,
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: ['main.ts', 'forward.ts', 'worker.ts'].map((file) => `${ROOT}web/spectator/${file}`),
      output: { codeSplitting: { groups: SPECTATOR_CHUNKS } },
    },
  },
}

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

/** The same script for folders that are read without a server, from which browsers load no modules. */
export const offlineReaderConfig: UserConfig = {
  ...readerConfig,
  build: {
    ...readerConfig.build,
    lib: {
      entry: 'offline.ts',
      formats: ['iife'],
      name: 'reader',
      fileName: () => 'offline.js',
      cssFileName: 'reader',
    },
  },
}

export default dashboardConfig

/**
 * Provides the texts of each language in modules found by the folders of `web/locales`: those of a live map and its
 * frame in one, and the others in another. A language is loaded by its readers, as few files in place of one for each
 * area.
 */
function translations(areasOfLiveMap: readonly string[], hasFurther: boolean): Plugin {
  const locales = `${ROOT}web/locales`
  const isOfLiveMaps = (area: string) => areasOfLiveMap.includes(area)
  const isFurther = (area: string) => !isOfLiveMaps(area) && !AREAS_OF_PAGES.includes(area)
  // The names of the English texts are types alone.
  const isForTypes = (id: string) => id.startsWith(`${locales}/en/`) && !AREAS_OF_PAGES.includes(basename(id, '.json'))
  const loaders = (end: string) => {
    const all = readdirSync(locales).map((name) => `'${name}': () => import('${TRANSLATIONS}/${name}${end}')`)
    return `{ ${all.join(', ')} }`
  }
  return {
    name: 'translations',
    resolveId: (id) => (id.startsWith(TRANSLATIONS) ? `\0${id}` : undefined),
    load(id) {
      if (isForTypes(id)) return '{}'
      if (id === `\0${TRANSLATIONS}`) {
        const further = hasFurther ? loaders(FURTHER) : '{}'
        return `export const translations = ${loaders('')}; export const furtherTranslations = ${further}`
      }
      if (!id.startsWith(`\0${TRANSLATIONS}/`)) return undefined
      const [, language] = id.split('/')
      const isWanted = id.endsWith(FURTHER) ? isFurther : isOfLiveMaps
      const areas = globSync(`${locales}/${language}/*.json`).filter((file) => isWanted(basename(file, '.json')))
      for (const file of areas) this.addWatchFile(file)
      const texts = Object.assign({}, ...areas.sort().map((file) => JSON.parse(readFileSync(file, 'utf8'))))
      return `export const texts = ${JSON.stringify(texts)}`
    },
  }
}

/**
 * Lets the built page show its first words at once: the early script runs as soon as it has come, and adds the style
 * sheets, which would hold back the words if they stood in the page.
 */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const early = Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.includes(EARLY))
        const script = html.split('\n').find((line) => early !== undefined && line.includes(early.fileName))
        if (script === undefined) throw new Error(`The page has no script with ${EARLY}`)
        const first = script.replace('<script', '<script async')
        return html
          .replace(`${script}\n`, '')
          .replace('  <script', `${first}\n  <script`)
          .replaceAll('<link rel="stylesheet"', '<link rel="preload" as="style"')
      },
    },
  }
}

/**
 * Gives the page of the development server what the real server gives it: the chosen map in its head, and the content
 * security policy. The policy also allows the inline script of React's hot reload, by the nonce of this start.
 */
function devPage(server: string): Plugin {
  const nonce = randomBytes(16).toString('base64')
  return {
    name: 'dev-page',
    apply: 'serve',
    config: () => ({ html: { cspNonce: nonce } }),
    configureServer({ middlewares }) {
      middlewares.use(async ({ headers, url = '/' }, response, next) => {
        if (headers.accept?.includes('text/html')) {
          const policy = (await realPage(server, url))?.headers.get('content-security-policy') ?? ''
          const ours = policy
            .replace(/'nonce-[^']*'/, `'nonce-${nonce}'`)
            .replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
          response.setHeader('content-security-policy', ours)
        }
        next()
      })
    },
    async transformIndexHtml(html) {
      const page = (await (await realPage(server, BASE))?.text()) ?? ''
      const map = /<meta name="map" content="[^"]*">/.exec(page)?.[0] ?? ''
      return fillPage(html, { 'csp-nonce': nonce }).replace('</head>', `${map}</head>`)
    },
  }
}

/** Returns a page of the running server; undefined while it is restarting. */
async function realPage(server: string, path: string): Promise<Response | undefined> {
  return await fetch(new URL(path, server)).catch(() => undefined)
}

/**
 * Sends requests on to the server, with the host name that the browser asked for: its cookies and checks depend on it.
 */
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
