import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answer, publishPdf, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'

describePublications('POST /publications/:slug/unpublish and …/publish', { on: oneDatabase }, async ({ service }) => {
  const post = async (slug: string, action: 'unpublish' | 'publish') =>
    await answer<WirePublication>(await service.request('POST', `/publications/${slug}/${action}`), 200)
  const addressesOf = async (slug: string) => {
    const { url } = await answer<{ url: string }>(await fetch(`${service.url}/publications/${slug}/pdf`), 200)
    const list = await fetch(`${service.url}/publications/${slug}/images`)
    return { url, images: (await answer<{ images: string[] }>(list, 200)).images }
  }

  test('answer 200 with the publication and the time at which it was unpublished', async () => {
    const { slug } = await publishPdf(service, { title: 'Withdrawn' })
    const before = await untilRendered(service, slug)

    const withdrawn = await post(slug, 'unpublish')
    const published = await post(slug, 'publish')

    assert(Math.abs(Date.parse(withdrawn.unpublished_at!) - Date.now()) < 60_000)
    assert.equal(published.unpublished_at, null)
    assert(before.updated_at < withdrawn.updated_at && withdrawn.updated_at < published.updated_at)
  })

  test('change nothing when repeated', async () => {
    const { slug } = await publishPdf(service, { title: 'Twice' })
    await untilRendered(service, slug)

    const withdrawn = [await post(slug, 'unpublish'), await post(slug, 'unpublish')]
    const published = [await post(slug, 'publish'), await post(slug, 'publish')]

    assert.deepEqual(withdrawn[1], withdrawn[0])
    assert.deepEqual(published[1], published[0])
  })

  test('every address of an unpublished publication answers 410, also with former slugs and with a key', async () => {
    const { slug } = await publishPdf(service, { title: 'Leaving' })
    await answer(await service.request('PATCH', `/publications/${slug}`, { slug: 'left' }), 200)

    await post('left', 'unpublish')

    for (const known of [slug, 'left'])
      for (const path of ['', '/pdf', '/images', '/download']) {
        await readProblem(await fetch(`${service.url}/publications/${known}${path}`), 410, 'GONE')
        await readProblem(await service.request('GET', `/publications/${known}${path}`), 410, 'GONE')
      }
  })

  test('publishing again gives new addresses and revives none of the old ones', async () => {
    const { slug } = await publishPdf(service, { title: 'Revived' })
    const old = await addressesOf(slug)

    await post(slug, 'unpublish')
    await post(slug, 'publish')

    const { url, images } = await addressesOf(slug)
    assert.notDeepEqual(images, old.images)
    assert.equal((await fetch(url)).status, 200)
    assert.equal((await fetch(images[0])).status, 200)
    for (const address of [old.url, ...old.images]) assert.equal((await fetch(address)).status, 410)
  })

  test('the workspace can still change an unpublished publication', async () => {
    const { slug } = await publishPdf(service, { title: 'Still mine' })
    await post(slug, 'unpublish')
    const { storageKey, pdfPath } = await uploadPdf(service)

    const renamed = await service.request('PATCH', `/publications/${slug}`, { title: 'Renamed' })
    const replaced = await service.request('PUT', `/publications/${slug}/file`, { storageKey, pdfPath })
    const deleted = await service.request('DELETE', `/publications/${slug}`)

    assert.notEqual((await answer<WirePublication>(renamed, 200)).unpublished_at, null)
    assert.notEqual((await answer<WirePublication>(replaced, 200)).unpublished_at, null)
    await answer(deleted, 204)
  })
})
