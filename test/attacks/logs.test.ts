import assert from 'node:assert/strict'
import { request as sendRequest } from 'node:http'
import { after, describe, test } from 'node:test'
import { held, startTarget, type Target } from '../support/attack.ts'
import { becomes } from '../support/becomes.ts'
import { databases } from '../support/databases.ts'
import { askForTicket, publishPdf, untilRendered } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

/** Longer than any answer that is not called slow. */
const SLOW_BODY_MS = 3_000

type Route = { method: string; url: string }

/** Addresses of catch-alls, by how the framework prints them. */
const CATCH_ALLS: Record<string, string> = { '/*': '/p/*', '/docs/*': '/docs/clients/*' }

describe('secrets in addresses', async () => {
  const target = await startTarget({ after }, undefined, { LOG_LEVEL: 'trace' })
  const log = () => target.process.output().stderr
  const slowSecrets: string[] = []

  test('do not reach the log when a body is so slow that the answer is logged', async () => {
    const { uploadUrl, storageKey, token } = await askForTicket({ url: target.url, request: target.publish })

    await send(target.url, 'PUT', uploadUrl, { bodyAfterMs: SLOW_BODY_MS })
    await becomes(async () => log(), /"route":"\/uploads\/:storageKey".*slow answer/)

    slowSecrets.push(storageKey, token)
    for (const secret of slowSecrets) assert.equal(log().includes(secret), false)
  })

  test('reach neither the log nor /metrics, at whichever route and level', async (t) => {
    const routes = await listRoutes()
    const real = await makeCapabilities(target)
    const marks = ['shr_markedmarkedmarked', 'marked-signature', 'marked-cursor']

    for (const { method, url } of routes) {
      const path = url.replaceAll(/:\w+/g, marks[0]).replace('*', `${marks[0]}/deep/${marks[0]}`)
      await send(target.url, method, `${path}?signature=${marks[1]}&cursor=${marks[2]}`)
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      await send(target.url, method, `/nothing/${marks[0]}?${marks[1]}`)
      await send(target.url, method, `/p/%${marks[0]}`)
      for (const address of real) {
        await send(target.url, method, address)
        await send(target.url, method, `${address}${address.includes('?') ? '&' : '?'}${marks[2]}`)
        await abort(target.url, method, address)
      }
    }
    const metrics = await (await fetch(`${target.url}/metrics`)).text()
    await target.process.stop()

    const stderr = log()
    const logged = new Set(stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).route])))
    assert.deepEqual(
      routes.filter(({ url }) => !logged.has(url)),
      [],
    )
    const secrets = [
      ...marks,
      ...slowSecrets,
      ...real.flatMap((address) => address.split(/[/?&=]/).filter((part) => part.length > 15)),
    ]
    for (const secret of secrets) {
      assert.equal(stderr.includes(secret), false, `the log has ${secret}`)
      assert.equal(metrics.includes(secret), false, `/metrics has ${secret}`)
    }
    held(t, { routes: [routes.length, ''], secrets: [secrets.length, ''] })
  })
})

/** Lists the routes of the program, also those that the API reference hides. */
async function listRoutes(): Promise<Route[]> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const { server } = await startService({ after: (clean) => cleanUps.push(clean) }, databases[0])
  const tree = server.app.printRoutes({ commonPrefix: false })
  for (const clean of cleanUps) await clean()
  // Each line has the part that follows the address of its parent: four characters of indentation for each level.
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^([│├└─ ]+)(\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (part === undefined) return []
    const level = indent.length / 4
    // A catch-all is printed without its slash, and some without their folder.
    const printed = ((parents[level - 1] ?? '') + part).replace(/\/?\*$/, '/*')
    const url = CATCH_ALLS[printed] ?? printed
    parents[level] = url
    return methods === undefined ? [] : methods.split(', ').map((method) => ({ method, url }))
  })
}

/**
 * Makes addresses that are capabilities: a share, a ticket, an image, a file, and the page of an unpublished document.
 */
async function makeCapabilities(target: Target): Promise<string[]> {
  const service = { url: target.url, request: target.publish }
  const share = await target.share()
  const { uploadUrl } = await askForTicket(service)
  const { slug, id } = await publishPdf(service, { title: 'Marked slug of an unpublished document' })
  await untilRendered(service, slug)
  const { images } = (await (await target.read(`/publications/${slug}/images`)).json()) as { images: string[] }
  const { url } = (await (await target.read(`/publications/${slug}/pdf`)).json()) as { url: string }
  const link = (await (await target.publish('POST', `/publications/${slug}/links`, {})).json()) as { url: string }
  const { pathname, search } = new URL(link.url)
  await target.publish('POST', `/publications/${id}/unpublish`)
  return [share, `${share}/tracks`, uploadUrl, images[0], url, `/p/${slug}`, `/publications/${slug}`, pathname + search]
}

/** Sends a request and waits for the head of the response, or until the server closes the connection. */
function send(base: string, method: string, address: string, { bodyAfterMs = 0 } = {}): Promise<void> {
  return new Promise((resolve) => {
    const sent = sendRequest(new URL(address, base), {
      method,
      agent: false,
      headers: { 'Content-Type': 'application/pdf' },
    })
    sent.on('response', (response) => {
      response.destroy()
      resolve()
    })
    sent.on('error', () => resolve())
    if (bodyAfterMs === 0) return sent.end()
    sent.flushHeaders()
    setTimeout(() => sent.end('not a PDF'), bodyAfterMs)
  })
}

/** Sends a request and leaves at once. */
function abort(base: string, method: string, address: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = sendRequest(new URL(address, base), { method, agent: false })
    sent.on('error', () => {})
    sent.on('close', () => resolve())
    sent.on('finish', () => sent.destroy())
    sent.end()
  })
}
