import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { PublishedDocument } from './published-document.ts'
import { ask, assertWholeImage, expectJson, type PublishingTarget, publish, send, sha256 } from './publishing-load.ts'

/**
 * Rendering a few small documents takes seconds on a busy machine, and the lease of a dead process must run out first.
 */
const READY_WITHIN_MS = 120_000

type Listed = { slug: string; title: string; status: string; page_count: number; pages_ready: number }

/**
 * Checks the state after a crash: everything acknowledged exists and becomes ready with all pages; whatever had no
 * response can continue where it stopped; each document became one publication, identical byte by byte.
 */
export async function checkPublications(target: PublishingTarget, ledger: readonly PublishedDocument[]): Promise<void> {
  const before = await list(target)
  for (const { slug, title, creation } of ledger) {
    if (creation === 'acknowledged') assert(before.some((listed) => listed.slug === slug && listed.title === title))
  }
  for (const document of ledger) assert(await publish(target, document), 'the server is gone')
  const ready = await waitUntilReady(target)
  assert.equal(ready.length, ledger.length)
  for (const document of ledger) await checkDocument(target, document, ready)
}

/** Waits until all pages of all publications are rendered. */
export async function waitUntilReady(target: PublishingTarget): Promise<Listed[]> {
  const startMs = performance.now()
  for (;;) {
    const publications = await list(target)
    assert(!publications.some(({ status }) => status === 'failed'))
    if (publications.every(({ status, page_count, pages_ready }) => status === 'ready' && pages_ready === page_count))
      return publications
    assert(performance.now() - startMs < READY_WITHIN_MS, `not ready: ${JSON.stringify(publications)}`)
    await wait(100)
  }
}

async function checkDocument(
  target: PublishingTarget,
  document: PublishedDocument,
  publications: readonly Listed[],
): Promise<void> {
  const own = publications.filter(({ title }) => title === document.title)
  assert.deepEqual(
    own.map(({ slug, page_count }) => ({ slug, page_count })),
    [{ slug: document.slug, page_count: document.pageCount }],
  )
  await checkDelivery(target, document.slug!, document)
}

/** Checks that a publication delivers this document, byte by byte and with all its pages. */
export async function checkDelivery(
  target: PublishingTarget,
  slug: string,
  document: PublishedDocument,
): Promise<void> {
  const file = await send(`${target.url}/publications/${slug}/download`, {})
  assert.equal(file && sha256(file.bytes), document.sha256)
  const listed = await send(`${target.url}/publications/${slug}/images`, {})
  const { images } = expectJson(listed!, [200]) as { images: string[] }
  assert.equal(images.length, document.pageCount)
  for (const image of images) assertWholeImage((await send(image, {}))!)
}

async function list(target: PublishingTarget): Promise<Listed[]> {
  const answer = await ask(target, 'GET', '/publications')
  return expectJson(answer!, [200]) as Listed[]
}
