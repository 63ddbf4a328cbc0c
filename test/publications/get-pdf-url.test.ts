import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases, oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

const HOUR_MS = 3_600_000

describePublications('GET /publications/:slug/pdf', { on: oneDatabase }, async ({ service }) => {
  const pdfOf = async (slug: string) => await fetch(`${service.url}/publications/${slug}/pdf`)

  test('returns the address of the PDF, without a key', async () => {
    const { slug, pdf } = await storePublication(service)

    const response = await pdfOf(slug)

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const answer = (await response.json()) as { url: string }
    assert.deepEqual(Object.keys(answer), ['url'])
    const file = await fetch(answer.url)
    assert.equal(file.status, 200)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
  })

  test('returns an address that is valid for one hour', async () => {
    const { slug } = await storePublication(service)

    const askedMs = Date.now()
    const { url } = (await (await pdfOf(slug)).json()) as { url: string }
    const answeredMs = Date.now()

    const expiresMs = Number(new URL(url).searchParams.get('expires'))
    assert.ok(askedMs + HOUR_MS <= expiresMs && expiresMs <= answeredMs + HOUR_MS)
  })

  test('answers while the publication is processing', async () => {
    const { slug } = await storePublication(service, { version: { status: 'processing' } })

    assert.equal((await pdfOf(slug)).status, 200)
  })

  test('answers under a former slug, without a redirect', async () => {
    const { versionId } = await storePublication(service, { slug: 'new-name', formerSlugs: ['old-name'] })

    const response = await pdfOf('old-name')

    assert.equal(response.redirected, false)
    assert.ok(((await response.json()) as { url: string }).url.includes(`/files/${versionId}?`))
  })

  test('ignores the Host header in the address', async () => {
    const { slug } = await storePublication(service)

    const { body } = await sendBytes(`${service.url}/publications/${slug}/pdf`, {
      headers: {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'host=evil.example',
      },
    })

    assert.ok((JSON.parse(body.toString()) as { url: string }).url.startsWith(`${service.url}/files/`))
  })

  test('allows requests from pages of any origin', async () => {
    const { slug } = await storePublication(service)

    assert.equal((await pdfOf(slug)).headers.get('access-control-allow-origin'), '*')
  })

  test('answers 404 NOT_FOUND for an unknown slug', async () => {
    for (const slug of ['unknown', 'Annual-Report', '%00', "'%20or%201=1--", 'a'.repeat(100), '%F0%9F%93%84'])
      await readProblem(await pdfOf(slug), 404, 'NOT_FOUND')
  })

  test('answers 410 GONE for an unpublished publication, also under its former slug', async () => {
    const publication = { unpublished_at: Date.now(), epoch: 1 }
    await storePublication(service, { slug: 'withdrawn', formerSlugs: ['before'], publication })

    for (const slug of ['withdrawn', 'before']) await readProblem(await pdfOf(slug), 410, 'GONE')
  })

  test('answers 404 NOT_FOUND for a publication whose deletion has begun', async () => {
    const { slug } = await storePublication(service, { publication: { deleted_at: Date.now() } })

    await readProblem(await pdfOf(slug), 404, 'NOT_FOUND')
  })
})

describe('GET /publications/:slug/pdf with CDN_URL', async () => {
  const [database] = databases
  const service = await startService({ after }, database, {
    services: ['publications'],
    settings: { BASE_URL: 'https://press.example/api', CDN_URL: 'https://images.example/press' },
  })

  test('returns an address under it', async () => {
    const { slug, versionId, pdf } = await storePublication(service)

    const response = await fetch(`${service.url}/publications/${slug}/pdf`)

    const { url } = (await response.json()) as { url: string }
    assert.ok(url.startsWith(`https://images.example/press/files/${versionId}?`))
    const file = await fetch(url.replace('https://images.example/press', service.url))
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
  })
})
