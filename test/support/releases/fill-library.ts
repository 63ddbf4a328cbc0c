import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { FIRST_OBJECT, makePdf, showText, stream } from '../make-pdf.ts'
import type { WebhookReceiver } from '../webhook-receiver.ts'
import { type Ask, asker, bytes, text } from './asker.ts'

/** Returns a document with flat pages, whose images are small, and with an attached file. */
function pdf(...lines: string[]): Buffer {
  return makePdf({
    pages: lines.map((line) => ({ content: showText(line, 10, 10, 14), mediaBox: '[0 0 800 36]' })),
    catalog: `/Names << /EmbeddedFiles << /Names [(notes.txt) ${FIRST_OBJECT} 0 R] >> >>`,
    objects: [
      `<< /Type /Filespec /F (notes.txt) /EF << /F ${FIRST_OBJECT + 1} 0 R >> >>`,
      stream('some notes', '/Type /EmbeddedFile'),
    ],
  })
}

export async function fillLibrary(url: string, publisher: Ask, operator: Ask, webhooks: WebhookReceiver) {
  const webhook = await publisher(201, 'POST', '/publications/webhooks', { url: webhooks.url })
  const upload = async (file: Buffer) => {
    const ticket = await publisher(200, 'POST', '/publications/upload-url', { type: 'pdf' })
    const path = text(ticket.uploadUrl).replace(/^https?:\/\/[^/]+/, '')
    await asker(url, { 'content-type': 'application/pdf' })(200, 'PUT', path, bytes(file))
    return { storageKey: text(ticket.storageKey), pdfPath: text(ticket.pdfPath) }
  }
  const publish = async (title: string, file: Buffer, headers = {}) => {
    const body = { title, ...(await upload(file)), sourceType: 'pdf' }
    const made = await publisher(201, 'POST', '/publications', body, headers)
    await untilRendered(publisher, text(made.slug))
    return { slug: text(made.slug), id: text(made.id), body }
  }
  const replayed = { 'idempotency-key': 'a stored key of a publication' }
  const first = await publish('Guide de l’été', pdf('Hello, reader'), replayed)
  await publisher(200, 'PATCH', `/publications/${first.slug}`, {
    slug: 'guide',
    title: 'Guide',
    author: 'A. Writer',
    language: 'fr',
  })
  const collection = await publisher(201, 'POST', '/collections', { name: 'Guides' })
  await publisher(200, 'PATCH', '/publications/guide', { collection_id: text(collection.id) })
  await publisher(200, 'PUT', '/publications/guide/file', await upload(pdf('Hello again', 'Second page')))
  await untilRendered(publisher, 'guide')
  await publisher(204, 'POST', '/publications/guide/reading', { pages: [1, 2], seconds: 30 })
  const { versions } = await publisher(200, 'GET', '/publications/guide/versions')
  const hidden = await publish('Hidden', pdf('Not for everyone'))
  await publisher(200, 'POST', `/publications/${hidden.slug}/unpublish`)
  const gone = await publish('Gone', pdf('Gone'))
  await publisher(204, 'DELETE', `/publications/${gone.slug}`)
  const signed = await publisher(200, 'GET', '/publications/guide/pdf')
  const { images } = (await publisher(200, 'GET', '/publications/guide/images')) as unknown as { images: string[] }
  const ticket = await publisher(200, 'POST', '/publications/upload-url', { type: 'pdf', path: 'later/file.pdf' })
  const { workspaces } = await operator(200, 'GET', '/operator/workspaces')
  const workspaceId = text(workspaces[0].id)
  const face = `/operator/workspaces/${workspaceId}/face`
  await operator(200, 'PUT', face, { slug: 'library', name: 'The library' })
  await operator(200, 'PUT', `${face}/domain`, { domain: 'library.example' })
  const other = await operator(201, 'POST', '/operator/workspaces', { name: 'Another library' })
  await operator(200, 'PATCH', `/operator/workspaces/${other.id}`, { max_publications: 5 })
  const key = await operator(201, 'POST', `/operator/workspaces/${workspaceId}/keys`, {
    label: 'Reader',
    permissions: ['read'],
  })
  await operator(201, 'POST', `/operator/workspaces/${other.id}/key/rotate`, { keep_sec: 3600 })
  const place = (address: string) => address.replace(/^https?:\/\/[^/]+/, '')
  return {
    workspaceId,
    otherId: text(other.id),
    otherKey: text(other.api_key),
    webhookId: text(webhook.id),
    formerSlug: first.slug,
    formerVersionId: text(versions[1].id),
    id: first.id,
    creation: first.body,
    hidden: hidden.slug,
    gone: gone.slug,
    signedPdf: place(text(signed.url)),
    images: images.map(place),
    readKey: text(key.api_key),
    readKeyId: text(key.id),
    uploadPath: place(text(ticket.uploadUrl)),
  }
}

async function untilRendered(publisher: Ask, slug: string): Promise<void> {
  for (;;) {
    const { status, pages_ready, page_count } = (await publisher(200, 'GET', `/publications/${slug}`)) as unknown as {
      status: string
      pages_ready: number
      page_count: number
    }
    assert.notEqual(status, 'failed')
    if (status === 'ready' && pages_ready === page_count) return
    await wait(50)
  }
}
