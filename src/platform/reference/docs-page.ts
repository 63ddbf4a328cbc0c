import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import Type from 'typebox'
import { notFound } from '../basics/errors.ts'
import { FOREVER, type HttpServer } from '../http/http-server.ts'
import { sendKept } from '../http/kept-text.ts'
import { documentHead, Html, html, htmlDocument } from '../pages/html.ts'
import { contentSecurityPolicy } from '../pages/page-headers.ts'
import { FRENCH_GUIDES, GUIDES, type Guide, guideFile, guidePage, isClientFile } from './guide-page.ts'

const PROJECT = new URL('./', import.meta.resolve('#project/docs'))
/** The folder of the reference's program, which the build of the web pages takes from its package. */
const BUILT_REFERENCE = fileURLToPath(import.meta.resolve('#project/dist/reference'))

const GuideParams = Type.Object({ guide: Type.String() })

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 13 6 4l4 6 2-3 2 6z' fill='%230f766e'/%3E%3C/svg%3E"

/** An OpenAPI document that the reference shows. */
type ShownDocument = { name: string; title: string }

/**
 * GET /docs, /docs/:guide, /docs/fr/:guide and /docs/clients/*: the API reference with requests to try, the guides, and
 * sources of clients. The reference is a program that runs in the browser, loads the documents from this server, and
 * may talk to nobody else.
 */
export function docsPage(server: HttpServer, documents: readonly ShownDocument[], folder = BUILT_REFERENCE): void {
  const css = readFileSync(new URL('style.css', import.meta.url), 'utf8')
  // Relative, so that the page also works behind a proxy that adds a path.
  const styleAddress = `docs/style.${hash('sha256', css).slice(0, 12)}.css`
  const script = builtScript(folder)
  const setUp = setUpScript(documents)
  const sendReference = sendKept('text/html; charset=utf-8', () => referencePage(script, setUp))
  const policy = referencePolicy(setUp)

  void server.register(async (app: HttpServer) => {
    await app.register(helmet, {
      contentSecurityPolicy: false,
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: false,
    })
    app.get('/docs', { schema: { hide: true }, compress: false }, (request, reply) =>
      sendReference(request, reply.header('content-security-policy', policy)),
    )
    app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('../docs', 308))
    const style = basename(styleAddress)
    serveGuides(app, '/docs', GUIDES, async (guide) =>
      guidePage('en', guide, await readText(guideFile('en', guide)), { style, icon: ICON }),
    )
    serveGuides(app, '/docs/fr', FRENCH_GUIDES, async (guide) =>
      guidePage('fr', guide, await readText(guideFile('fr', guide)), { style: `../${style}`, icon: ICON }),
    )
    serveClients(app)
    app.get(`/${styleAddress}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', FOREVER).send(css),
    )
    if (script === undefined) return
    await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
    app.get(`/docs/reference/${script}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', FOREVER).sendFile(script),
    )
  })
}

/** Returns the name of the reference's program, which has a hash of its content; undefined if it is not built. */
function builtScript(folder: string): string | undefined {
  try {
    return readdirSync(folder).find((name) => name.endsWith('.js'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Starts the reference. It sends requests to the address that the page was loaded from, and none to its makers: neither
 * figures of use nor questions to an assistant.
 */
function setUpScript(documents: readonly ShownDocument[]): string {
  const sources = documents.map(({ name, title }) => ({ slug: name, title, url: `${name}.openapi.json` }))
  return `const at = (address) => new URL(address, location.href).href
Scalar.createApiReference('#reference', {
  sources: ${JSON.stringify(sources)}.map((source) => ({ ...source, url: at(source.url) })),
  servers: [{ url: at('.').replace(/\\/$/, '') }],
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
})`
}

/** Allows a guide its stylesheet, and nothing else to be loaded, run or framed. */
const GUIDE_POLICY = contentSecurityPolicy(
  { 'default-src': "'none'", 'style-src': "'self'", 'img-src': 'data:', 'base-uri': "'none'", 'form-action': "'none'" },
  'none',
)

/** Allows the reference its scripts and requests to this server. The program sets styles on elements as it runs. */
function referencePolicy(setUp: string): string {
  const sources = {
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${hash('sha256', setUp, 'base64')}'`,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
  }
  return contentSecurityPolicy(sources, 'none')
}

/** Style of the frame around the reference, which has a style of its own and is told the height of the header. */
const STYLE = new Html(`
:root { color-scheme: light dark; --scalar-custom-header-height: 3rem; }
body { margin: 0; font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
/* The right end stays free: it is where the reference closes a request to try. */
header { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 1.25rem;
  box-sizing: border-box; height: 3rem; padding: 0 1.25rem; background: light-dark(#fcfcfa, #14181a);
  color: light-dark(#1c2321, #e3e8e6); border-bottom: 1px solid light-dark(#dcdfd9, #323b3d); }
header a { color: light-dark(#0b6158, #6fd3c5); }
.message { max-width: 40rem; margin: 0 auto; padding: 2rem 1.25rem; line-height: 1.6; }
`)

function referencePage(script: string | undefined, setUp: string): string {
  const head = documentHead({
    title: 'Trackpress API reference',
    rest: html`<style>${STYLE}</style>\n<link rel="icon" href="${ICON}">`,
  })
  const body = html`<body>
<header><strong>Trackpress API reference</strong> <a href="docs/first-requests">Guides</a></header>
${script === undefined ? NOT_BUILT : reference(script, setUp)}
</body>`
  return htmlDocument('en', head, body)
}

const NOT_BUILT = html`<main class="message"><h1>The reference is not built</h1>
<p>The API itself is running, and <a href="openapi.json">openapi.json</a> describes it. To build the reference, run this
in the folder of the program, then restart it:</p>
<pre><code>npm install
node scripts/build-web.ts</code></pre></main>`

function reference(script: string, setUp: string): Html {
  return html`<div id="reference"></div>
<noscript><main class="message"><h1>The reference needs JavaScript</h1>
<p>Without it, read <a href="openapi.json">openapi.json</a> with a program of your own, or begin with the
<a href="docs/first-requests">guides</a>.</p></main></noscript>
<script src="docs/reference/${script}"></script>
<script>${new Html(setUp)}</script>`
}

/** Serves guides below an address, each written with its first request. */
function serveGuides(
  app: HttpServer,
  below: string,
  names: readonly Guide[],
  write: (guide: Guide) => Promise<string>,
) {
  const guides = new Map<string, ReturnType<typeof sendKept>>(
    names.map((guide) => [guide, sendKept('text/html; charset=utf-8', () => write(guide))]),
  )
  app.get(`${below}/:guide`, { schema: { hide: true, params: GuideParams }, compress: false }, (request, reply) => {
    const send = guides.get((request.params as { guide: string }).guide)
    if (send === undefined) throw notFound()
    return send(request, reply.header('content-security-policy', GUIDE_POLICY))
  })
}

/** Serves the sources of clients that the guides name, as text: a browser shows them, and they can be copied. */
function serveClients(app: HttpServer) {
  const files = readdirSync(new URL('clients', PROJECT), { recursive: true, encoding: 'utf8' })
  const paths = files.map((name) => `clients/${name.replaceAll(sep, '/')}`).filter(isClientFile)
  const texts = new Map(paths.map((path) => [path, sendKept('text/plain; charset=utf-8', () => readText(path))]))
  app.get('/docs/clients/*', { schema: { hide: true }, compress: false }, (request, reply) => {
    const send = texts.get(`clients/${(request.params as { '*': string })['*']}`)
    if (send === undefined) throw notFound()
    return send(request, reply.header('content-security-policy', GUIDE_POLICY))
  })
}

/** @param path in the folder of the project */
async function readText(path: string): Promise<string> {
  return await readFile(new URL(path, PROJECT), 'utf8')
}
