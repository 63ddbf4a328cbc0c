import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePublications } from '../support/describe-service.ts'
import { answer, publishPdf, uploadPdf, type WirePublication } from '../support/publish.ts'

describePublications('Slugs', async ({ service, once }) => {
  const publish = async (title: string, apiKey?: string) => (await publishPdf(service, { title, apiKey })).slug

  test('are numbered from the second publication with a title on, over all workspaces', async () => {
    const { api_key: other } = await service.createWorkspace('Other')

    const slugs = [await publish('Résumé'), await publish('re\u0301sume\u0301', other), await publish('RESUME!')]

    assert.deepEqual(slugs, ['resume', 'resume-2', 'resume-3'])
  })

  test('are unique, also for publications that are created concurrently', async () => {
    const bodies = await Promise.all(Array.from({ length: 12 }, () => uploadPdf(service, { title: 'Crowded' })))

    const responses = await Promise.all(bodies.map((body) => service.request('POST', '/publications', body)))

    const slugs: string[] = []
    for (const response of responses) slugs.push((await answer<WirePublication>(response, 201)).slug)
    const expected = ['crowded', ...Array.from({ length: 11 }, (_, at) => `crowded-${at + 2}`)]
    assert.deepEqual(slugs.sort(), expected.sort())
  })

  once('of titles without readable characters are numbered documents', async () => {
    assert.deepEqual([await publish('\u200f'), await publish('!!!')], ['document', 'document-2'])
  })

  once('include their number in the limit of 80 characters', async () => {
    const title = 'a'.repeat(500)

    assert.deepEqual([await publish(title), await publish(title)], ['a'.repeat(80), `${'a'.repeat(78)}-2`])
  })

  test('are not given to another publication after a change', async () => {
    const first = await publish('Moved away')
    await answer(await service.request('PATCH', `/publications/${first}`, { slug: 'moved-here' }), 200)

    assert.equal(await publish('Moved away'), 'moved-away-2')
  })

  test('of a deleted publication are available in its workspace only', async () => {
    const { api_key: other } = await service.createWorkspace('Neighbour')
    const slug = await publish('Vacant')
    await answer(await service.request('DELETE', `/publications/${slug}`), 204)

    const elsewhere = await publish('Vacant', other)
    const own = await publish('Vacant')

    assert.deepEqual([elsewhere, own], ['vacant-2', 'vacant'])
  })
})
