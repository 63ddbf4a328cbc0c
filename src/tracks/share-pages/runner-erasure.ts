import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { readRequestBody } from '#platform/http/request-body.ts'
import { html, htmlDocument } from '#platform/pages/html.ts'
import { contentSecurityPolicy } from '#platform/pages/page-headers.ts'
import type { Erasures } from '../erasure/erasures.ts'
import { runnerPageAddress } from '../phones/phone-links.ts'
import type { RaceDeps } from '../race/race-boards.ts'
import { STYLE } from './runner-page.ts'
import { pageHead, secretPageHeaders } from './share-page.ts'
import { createFormats, TEXTS } from './texts.ts'

/** Everything that the page on which people ask for their erasure is built from. */
export type RunnerErasureDeps = RaceDeps & { erasures: Erasures; titleTimeZone: string }

const FORM = 'application/x-www-form-urlencoded'
/** The form has one field of a few letters. */
const MAX_FORM_BYTES = 1024

const Params = Type.Object({ token: Type.String() })
const Query = Type.Object({ lang: Type.Optional(Type.Unknown()) })

type ErasureRequest = FastifyRequest & { params: { token: string }; query: { lang?: unknown } }

/**
 * Registers the page on which people ask for the erasure of their data in an event, with forms that work without
 * scripts, and take it back. Whoever has seen a code could ask, so that the erasure waits for three days.
 */
export function runnerErasure(app: HttpServer, deps: RunnerErasureDeps): void {
  const { erasures } = deps
  app.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    const text = (await readRequestBody(request, MAX_FORM_BYTES, deps.bodyBudget)).toString()
    return { confirmed: new URLSearchParams(text).get('confirmed') === 'yes' }
  })
  const schema = { hide: true, permission: 'record', params: Params, querystring: Query } as const

  app.get('/r/:token/erasure', { schema }, async (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(headersOf(nonce)).send(await erasurePage(deps, request, nonce, false))
  })

  app.post('/r/:token/erasure', { schema: { ...schema, operationId: 'requestOwnErasure' } }, async (request, reply) => {
    const { userId, eventId } = personOf(request)
    const { confirmed } = (request.body ?? {}) as { confirmed?: boolean }
    if (confirmed !== true) {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .code(422)
        .headers(headersOf(nonce))
        .send(await erasurePage(deps, request, nonce, true))
    }
    await erasures.request(userId, eventId)
    return reply.header('cache-control', 'no-store').redirect(addressOf(request), 303)
  })

  app.post(
    '/r/:token/erasure/take-back',
    { schema: { ...schema, operationId: 'takeBackOwnErasure' } },
    async (request, reply) => {
      const { userId, eventId } = personOf(request)
      await erasures.takeBack(userId, eventId)
      return reply.header('cache-control', 'no-store').redirect(addressOf(request), 303)
    },
  )
}

/** Returns the person of a code. @throws notFound for the code of an event, which belongs to nobody */
function personOf({ appToken: { userId, eventId } }: FastifyRequest): { userId: string; eventId: string } {
  if (userId === null) throw notFound()
  return { userId, eventId }
}

/** Returns the path of the page, in the language that was asked for. */
function addressOf({ params, query }: ErasureRequest): string {
  const lang = TEXTS.languages.find((language) => language === query.lang)
  return `${runnerPageAddress('', encodeURIComponent(params.token))}/erasure${lang === undefined ? '' : `?lang=${lang}`}`
}

/** Writes what an erasure does and the form that asks for it, or when it will be and the form that takes it back. */
async function erasurePage(deps: RunnerErasureDeps, request: ErasureRequest, nonce: string, isUnconfirmed: boolean) {
  const { userId, eventId } = personOf(request)
  const event = await deps.events.get(eventId)
  const language = TEXTS.languageFor(request.headers['accept-language'], request.query.lang)
  const t = TEXTS.of(language)
  const erasedMs = await deps.erasures.requestedFor(userId, eventId)
  const title = t(erasedMs === undefined ? 'erasure.title' : 'erasure.requested')
  const formats = createFormats(language, event.time_zone ?? deps.titleTimeZone)
  const action = addressOf(request)
  const back = action.replace('/erasure', '')
  const content =
    erasedMs === undefined
      ? html`<p>${t('erasure.what')}</p>
<p>${t('erasure.results')}</p>
<p>${t('erasure.when')}</p>
<form method="post" action="${action}">
${isUnconfirmed && html`<p class="wrong" role="alert">${t('erasure.unconfirmed')}</p>\n`}<p><label><input type="checkbox" name="confirmed" value="yes" required> ${t('erasure.confirm')}</label></p>
<p><button class="button danger">${t('erasure.ask')}</button></p>
</form>`
      : html`<p>${t('erasure.date', { time: formats.dateTime(erasedMs) })}</p>
<p>${t('erasure.keepHelp')}</p>
<form method="post" action="${action.replace('/erasure', '/erasure/take-back')}">
<p><button class="button plain">${t('erasure.keep')}</button></p>
</form>`
  const body = html`<body class="runner">
<a class="skip" href="#content">${t('skip')}</a>
<header><div class="title"><p dir="auto">${event.name}</p><h1>${title}</h1></div></header>
<main id="content" tabindex="-1">
<section class="card" aria-label="${title}">
${content}
</section>
<p><a href="${back}">${t('erasure.back')}</a></p>
</main>
</body>`
  return htmlDocument(
    language,
    pageHead({ title: `${title} · ${event.name}`, nonce, metaValues: {}, style: STYLE }),
    body,
  )
}

/** Returns the headers of a code's page, which no cache keeps. */
export function headersOf(nonce: string): Record<string, string> {
  const policy = contentSecurityPolicy(
    {
      'default-src': "'none'",
      'style-src': `'nonce-${nonce}'`,
      'script-src': `'nonce-${nonce}'`,
      'img-src': 'data:',
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
    },
    'none',
  )
  return secretPageHeaders(policy, 'none', 'no-store')
}
