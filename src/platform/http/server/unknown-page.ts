import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredLanguage, preferredMediaType } from '../negotiation.ts'
import { Html, html } from './html.ts'

const TEXTS = {
  en: {
    title: 'Page not found',
    detail: 'There is no page at this address. It may have been mistyped, or the page may have been removed.',
    home: 'Go to the home page',
  },
  fr: {
    title: 'Page introuvable',
    detail: 'Aucune page ne se trouve à cette adresse. Elle est peut-être erronée, ou la page a été supprimée.',
    home: 'Aller à l’accueil',
  },
} as const

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  background: light-dark(#f8f9fa, #1f1f1f); color: light-dark(#1f2328, #d5d5d5); }
main { max-width: 34rem; margin: 0 auto; padding: 18vh 1.5rem 2rem; }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.3; }
.code { margin: 0; color: light-dark(#59636e, #9a9a9a); font-variant-numeric: tabular-nums; }
a { color: light-dark(#0c6a7a, #66d9e8); }
`

/** Allows the page’s own style, and nothing else to be loaded, run or framed. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Tells whether a request is one of a browser for a page. Programs that accept anything get problem details. */
export function asksForPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return (
    preferredMediaType(headers.accept, ['application/problem+json', 'application/json', 'text/html']) === 'text/html'
  )
}

/** Answers 404 with a page for people. `hasHome` tells whether there is a page at `/`. */
export function sendUnknownPage(request: FastifyRequest, reply: FastifyReply, hasHome: boolean): FastifyReply {
  const language = preferredLanguage(request.headers['accept-language'], ['en', 'fr'] as const) ?? 'en'
  const { title, detail, home } = TEXTS[language]
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<p class="code">404</p>
<h1>${title}</h1>
<p>${detail}</p>
${hasHome && html`<p><a href="/">${home}</a></p>\n`}</main>
</body>
</html>
`
  return reply
    .code(404)
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('vary', 'Accept, Accept-Language')
    .type('text/html; charset=utf-8')
    .send(page.text)
}
