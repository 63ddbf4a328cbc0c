import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damagedPages } from '../support/damaged-pages.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { imageAddresses, readPageImage } from '../support/read-page-image.ts'

describePublications('The image of a page that could not be rendered', { on: oneDatabase }, async ({ service }) => {
  async function addressOfDamaged(): Promise<string> {
    const { slug } = await publishPdf(service, { pdf: damagedPages([2], 3) })
    await untilRendered(service, slug)
    return (await imageAddresses(service, slug))[1]
  }

  for (const [accept, format, type] of [
    ['*/*', 'jpeg', 'image/jpeg'],
    ['image/webp', 'webp', 'image/webp'],
  ]) {
    test(`has the shape of the page and an explanation, as ${type}`, async () => {
      const address = await addressOfDamaged()

      const answer = await fetch(address, { headers: { accept } })

      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, type])
      const image = await readPageImage(answer)
      assert.deepEqual([image.format, image.width, image.height], [format, 1200, 1552])
      assert.ok(image.darkPixels > 500)
    })
  }

  test('is cached briefly, and available in other widths', async () => {
    const address = await addressOfDamaged()

    const answer = await fetch(`${address}/600.jpg`)

    assert.equal(answer.headers.get('cache-control'), 'public, max-age=60')
    assert.equal((await readPageImage(answer)).width, 600)
  })
})
